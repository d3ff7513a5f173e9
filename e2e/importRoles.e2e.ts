// Rows whose roles have names of their own, and a table of Arrow: from the file to the dataset, in the dialog.
import { arrowFile } from '#features/datasets/shared/arrow/arrowFiles.fixture.ts';
import { expect, test, watchPage } from './fixtures.ts';
import { startStudio } from './startStudio.ts';
import { expectAccessible } from './steps.ts';

const ROW = JSON.stringify({
  conversations: [
    { from: 'Anna', value: 'Where is it?' },
    { from: 'desk_bot', value: 'There.' },
  ],
});

test('a person says what names of roles mean, by keyboard, and an Arrow file shows its rows', async ({ page }) => {
  const studio = await startStudio({ args: ['--no-sample'] });
  const watch = watchPage(page, studio.origin);
  await page.goto(studio.link);
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Dataset from a file' });
  const drop = (name: string, bytes: Uint8Array) =>
    page.evaluate(
      ([fileName, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(content)], fileName));
        for (const type of ['dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, [...bytes]] as const,
    );

  const anna = dialog.getByRole('combobox', { name: 'Role “Anna”' });
  // What takes a file loads once the page is shown.
  await expect(async () => {
    await drop('desk.jsonl', Buffer.from(`${ROW}\n`.repeat(3)));
    await expect(anna).toHaveValue('user', { timeout: 2000 });
  }).toPass();
  await expect(dialog.getByRole('combobox', { name: 'Role “desk_bot”' })).toHaveValue('assistant');
  await expectAccessible(dialog);
  await anna.focus();
  await page.keyboard.type('system');
  await expect(anna).toHaveValue('system');
  await anna.selectOption('user');
  await dialog.getByRole('button', { name: 'Import the file' }).press('Enter');
  await expect(dialog.getByText(/3 rows/).first()).toBeVisible();
  await page.keyboard.press('Escape');

  await test.step('rows of other forms are counted, and converted too', async () => {
    const alpaca = JSON.stringify({ instruction: 'Hi', input: '', output: 'Hello' });
    const pair = JSON.stringify({ prompt: 'Hi', completion: 'Hello.' });
    const convert = dialog.getByRole('switch', { name: 'Convert them too' });
    await expect(async () => {
      await drop('mixed.jsonl', Buffer.from(`${alpaca}\n`.repeat(6) + `${pair}\n`.repeat(3)));
      await expect(convert).toBeVisible({ timeout: 2000 });
    }).toPass();
    await expect(dialog).toContainText('Among the first lines are also 3 rows of prompt and completion.');
    await expect(dialog.getByRole('button', { name: 'Import without bad lines' })).toBeVisible();
    await convert.press('Space');
    await expect(dialog).toContainText('in 9 of 9 lines');
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Import the file' }).press('Enter');
    await expect(dialog.getByText(/9 rows/).first()).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await drop('data-00000-of-00001.arrow', arrowFile('saved'));
  await expect(dialog.getByText(/Chat rows \(messages\) in 2 of 2 lines/)).toBeVisible();
  await expect(dialog.getByText('Grüße')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import the file' }).press('Enter');
  await expect(dialog.getByText(/2 rows/).first()).toBeVisible();
  expect(watch.faults).toEqual([]);
  await studio.stop();
});
