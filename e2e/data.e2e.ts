// A person's own rows, from an empty studio to what to train next.
import type { Page } from '@playwright/test';
import { expect, test, watchPage } from './fixtures.ts';
import { startStudio } from './startStudio.ts';
import { expectAccessible } from './steps.ts';

const toLine = (question: string, answer: string): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  });

const SAMPLE_BASE = new URL('../src/features/projects/server/sample/support-base.Q8_0.gguf', import.meta.url).pathname;

/** 40 rows, three of them twice, and two lines that are no rows. */
const LINES = [
  ...Array.from({ length: 40 }, (_, at) =>
    toLine(`Where is parcel number ${at * 37}?`, `Parcel ${at * 37} is in town ${at % 7}.`),
  ),
  ...Array.from({ length: 3 }, (_, at) =>
    toLine(`Where is parcel number ${at * 37}?`, `Parcel ${at * 37} is in town ${at % 7}.`),
  ),
  '{"messages": [',
  '[1, 2, 3]',
];

/** Drops a file on the page, as from a folder of the desktop. */
async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([fileName = '', content = '']) => {
      const data = new DataTransfer();
      data.items.add(new File([content], fileName));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}

test('own rows: an empty studio, a project, a file with bad lines, a finding set aside, a snapshot', async ({
  page,
}) => {
  const studio = await startStudio({ args: ['--no-sample', '--model', `support-base=${SAMPLE_BASE}`] });
  const watch = watchPage(page, studio.origin);
  await page.goto(studio.link);

  await test.step('a project, by keyboard', async () => {
    await page.getByRole('button', { name: 'New project' }).press('Enter');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Parcels');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('treeitem', { name: /^Parcels/ })).toBeVisible();
  });

  const dialog = page.getByRole('dialog', { name: 'Dataset from a file' });
  await test.step('CSV gets the command that converts it; a JSON array is looked at', async () => {
    await dropFile(page, 'parcels.csv', 'question,answer\nWhere?,There.\n');
    await expect(dialog.getByRole('alert')).toContainText('The file looks like CSV with the columns question, answer.');
    await expect(dialog.getByRole('button', { name: 'Copy the command' })).toBeVisible();
    await expectAccessible(dialog);
    await dropFile(page, 'parcels.json', `[\n  ${LINES[0]},\n  ${LINES[1]},\n  7\n]`);
    await expect(dialog.getByText('Chat rows (messages) in 2 of 3 elements')).toBeVisible();
    await expect(dialog.getByRole('list', { name: 'Row in line 2, column 3' })).toContainText('parcel number 0');
    await expect(dialog.getByRole('row', { name: /^4 3 The element is a number/ })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Import without bad elements' })).toBeEnabled();
  });

  await test.step('a file: its first rows, its bad lines, the import without them', async () => {
    await dropFile(page, 'parcels.jsonl', LINES.join('\n'));
    await expect(dialog.getByRole('list', { name: 'Row in line 1', exact: true })).toContainText('parcel number 0');
    await expect(dialog.getByRole('heading', { name: '2 of 45 lines can’t be read as rows' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Only list all bad lines' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Nothing was imported.');
    await expect(dialog.getByRole('row', { name: /^45 1 / })).toBeVisible();
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Import without them' }).click();
    await expect(dialog.getByText('43 rows')).toBeVisible();
    await dialog.getByRole('button', { name: 'Look at the rows' }).click();
  });

  const grid = page.getByRole('grid', { name: 'Rows' });
  await test.step('rows by keyboard, and one of them as a chat', async () => {
    await expect(grid).toContainText('Where is parcel number 0?');
    await grid.getByRole('row', { name: /^not chosen 1 / }).focus();
    await page.keyboard.press('End');
    await expect(grid.getByRole('row', { name: /^not chosen 43 / })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Row 43' }).getByRole('list', { name: 'Row 43' })).toContainText(
      'in town 2',
    );
    await page.getByRole('tab', { name: 'What the model sees' }).click();
    const seen = page.getByRole('region', { name: 'The row as support-base sees it' });
    await expect(seen.locator('mark')).toHaveText(/^Parcel 74 is in town 2\.<\|im_end\|>$/);
    await page
      .getByRole('spinbutton', { name: 'Context' })
      .or(page.getByRole('textbox', { name: 'Context' }))
      .fill('20');
    await expect(page.getByText(/The context of 20 cuts the last \d+ tokens/)).toBeVisible();
    await expectAccessible(page.getByRole('dialog', { name: 'Row 43' }));
    await page.keyboard.press('Escape');
    await expect(grid.getByRole('row', { name: /^not chosen 43 / })).toBeFocused();
  });

  await test.step('a finding filters the rows; they are set aside, and it is undone', async () => {
    await page.getByRole('button', { name: /^exact duplicates/ }).click();
    await expect(page.getByText(/^3 rows of 43: exact duplicates/)).toBeVisible();
    await page.getByRole('button', { name: 'Set 3 of them aside' }).click();
    await expect(page.getByText('Set 3 rows aside.')).toBeVisible();
    await expect(page.getByText(/^0 rows of 43: exact duplicates/)).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(/^3 rows of 43: exact duplicates/)).toBeVisible();
    await expect(grid.getByRole('row', { name: /parcel number/ })).toHaveCount(3);
    await expectAccessible(page.getByRole('tabpanel', { name: 'Rows' }));
  });

  await test.step('rows are selected: all that are found, and a range with Shift', async () => {
    const tools = page.getByRole('region', { name: 'Rows' });
    await page.getByRole('button', { name: 'Select all 3' }).click();
    await expect(tools.getByRole('button', { name: 'Set 3 aside' })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('37');
    await page.getByRole('button', { name: 'only: exact duplicates. Show all rows again' }).click();
    await expect(page.getByText(/^\d+ rows of 43: with 37/)).toBeVisible();
    await expect(tools.getByRole('button', { name: /^Set \d+ aside/ })).toBeHidden();
    await page.getByRole('button', { name: 'Show all', exact: true }).click();
    await grid
      .getByRole('row', { name: /parcel number 37\?/ })
      .locator('[data-check]')
      .first()
      .click();
    await grid.getByRole('row', { name: /parcel number 185\?/ }).click({ modifiers: ['Shift'] });
    await expect(tools.getByRole('button', { name: 'Set 5 aside' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await expect(tools.getByRole('button', { name: 'Set 6 aside' })).toBeVisible();
    await expect(grid.getByRole('columnheader', { name: 'Question' })).toBeInViewport();
    await page.getByRole('button', { name: 'Select none' }).click();
  });

  await test.step('one row more, which is checked before it is sent', async () => {
    await page.getByRole('button', { name: 'Add a row' }).click();
    const form = page.getByRole('dialog', { name: 'Add a row' });
    const row = form.getByRole('textbox', { name: 'The row as JSON' });
    await row.fill('{"messages": []}');
    await expect(form.getByRole('alert')).toBeVisible();
    await row.fill(LINES[0]!.replace('number 0', 'number 5000'));
    await expectAccessible(form);
    await form.getByRole('button', { name: 'Save the row' }).click();
    await expect(page.getByText(/^Added the row, as the last one\./)).toBeVisible();
    await expect(page.getByText(/^44 rows/).first()).toBeVisible();
  });

  await test.step('a snapshot with its split in view', async () => {
    await page.getByRole('button', { name: 'New snapshot' }).click();
    const dialog = page.getByRole('dialog', { name: 'New snapshot' });
    await dialog.getByRole('slider', { name: /^Rows for training/ }).fill('70');
    await expect(dialog.getByText(/^\d+ training \(\d+ %\)$/)).toBeVisible();
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Make snapshot' }).click();
    await expect(page.getByRole('treeitem', { name: /^Snapshot 1/ })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Snapshot 1' })).toBeVisible();
  });

  await test.step('what to train next', async () => {
    await page.getByRole('tab', { name: 'Recommendations' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Recommendations' });
    const ask = panel.getByRole('button', { name: /^Ask (for a recommendation|again)$/ });
    await expect(ask).toBeVisible();
    await ask.click();
    await expect(panel.getByText(/\d+ base models? · \d+ proposed runs?/)).toBeVisible();
  });

  expect(watch.faults).toEqual([]);
  await studio.stop();
});

test('rows that ask the same: one answer is kept, the others are set aside, and it is undone', async ({ page }) => {
  const studio = await startStudio({ args: ['--no-sample'] });
  const watch = watchPage(page, studio.origin);
  await page.goto(studio.link);
  await page.getByRole('button', { name: 'New project' }).press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Labels');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treeitem', { name: /^Labels/ })).toBeVisible();
  const answers = ['refund', 'exchange', ' Refund'].map((answer) => toLine('It is broken.', answer));
  await dropFile(
    page,
    'labels.jsonl',
    [...answers, toLine('How are you?', 'well'), toLine('Where?', 'here')].join('\n'),
  );
  const dialog = page.getByRole('dialog', { name: 'Dataset from a file' });
  await dialog.getByRole('button', { name: /^Import/ }).click();
  await dialog.getByRole('button', { name: 'Look at the rows' }).click();
  await page.getByRole('button', { name: /^same question, other answer 3/ }).click();
  await page.getByRole('button', { name: 'Compare the answers' }).click();
  const compared = page.getByRole('dialog', { name: 'Same question, other answers' });
  await expect(compared.getByRole('list', { name: 'Answers' }).getByText('Rows 1, 3 · majority')).toBeVisible();
  await expectAccessible(compared);
  await compared.getByRole('button', { name: 'Keep the majority' }).click();
  await expect(compared.getByText('These rows agree now')).toBeVisible();
  await compared.getByRole('button', { name: 'Done' }).click();
  await expect(compared).toBeHidden();
  await expect(page.getByText(/^0 rows of 5: same question, other answer/)).toBeVisible();
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await expect(page.getByText('4 of 5 rows are used')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('5 rows', { exact: true }).last()).toBeVisible();
  expect(watch.faults).toEqual([]);
  await studio.stop();
});
