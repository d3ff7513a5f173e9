// A stranger's project comes in: what is changed of it is seen before and after, and nothing of it begins.
import { ask } from './askStudio.ts';
import { expect, test, watchPage } from './fixtures.ts';
import { toProjectFile } from './projectFile.ts';
import { startStudio } from './startStudio.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './steps.ts';

test('a file of a stranger: what is changed is seen before and after the import, by keyboard', async ({ page }) => {
  const studio = await startStudio();
  const watch = watchPage(page, studio.origin);
  const file = await toProjectFile(studio, (line) => {
    if (line['kind'] === 'experiment') line['status'] = 'running';
    if (line['kind'] === 'model') line['aliases'] = ['Qwen/Qwen3-8B'];
  });
  await page.goto(studio.link);
  const dialog = page.getByRole('dialog', { name: 'Import project' });

  await test.step('is looked at before anything is imported', async () => {
    await page.getByRole('button', { name: /^Search/ }).click();
    await page.keyboard.type('Import project');
    await page.getByRole('option', { name: /Import project/ }).click();
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'desk.project.jsonl', mimeType: 'application/jsonl', buffer: file });
    await expect(dialog.getByText('Nothing is imported before you agree.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Check the file' }).press('Enter');
    await expect(dialog.getByRole('alert')).toContainText('in this studio already');
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Check it as a copy' }).press('Enter');
  });

  const changes = dialog.getByRole('region', { name: 'Not as the file says it' });
  await test.step('lists what is changed, which Tab and Enter unfold', async () => {
    await expect(changes).toContainText(/Support desk →\s+becomes Support desk \(copy\)/);
    await expect(dialog.getByRole('region', { name: 'What an import makes of the file' })).toBeFocused();
    for (const title of ['Another name for 6 models', '6 aliases left out', '7 runs ended']) {
      await page.keyboard.press('Tab');
      await expect(changes.getByLabel(`Show: ${title}`)).toBeFocused();
      await page.keyboard.press('Enter');
    }
    await expect(changes.getByText('Qwen/Qwen3-8B').first()).toBeVisible();
    await expect(changes).toContainText(/Experiment 3 · full: running →\s+becomes stopped/);
    await expectAccessibleInBothThemes(dialog);
  });

  await test.step('is imported as it was told', async () => {
    const told = await changes.innerText();
    await dialog.getByRole('button', { name: 'Import a copy' }).click();
    await expect(dialog.getByText('Imported Support desk (copy)')).toBeVisible();
    for (const title of ['Another name for 6 models', '6 aliases left out', '7 runs ended'])
      await changes.getByLabel(`Show: ${title}`).press('Enter');
    expect(await changes.innerText()).toBe(told);
    await dialog.getByRole('button', { name: 'Look at the project' }).click();
    await expect(page.getByText('It was running where this file was made.').first()).toBeVisible();
    const { running, waiting } = await ask<{ running: unknown[]; waiting: unknown[] }>(
      studio,
      '/api/v1/studio/training',
    );
    expect([running, waiting]).toEqual([[], []]);
  });
  expect(watch.faults).toEqual([]);
  await studio.stop();
});
