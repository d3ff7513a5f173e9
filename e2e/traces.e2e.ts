// Traces of a project: what a program added is scored by keys, gets feedback, and becomes a row.
import { expect, openHome, test } from './fixtures.ts';
import { expectAccessible } from './steps.ts';

test('traces are scored by keys, become rows, and a link shows the same ones', async ({ studioPage: page }) => {
  await openHome(page);
  await page.evaluate(async () => {
    const listed = await fetch('/api/v1/public/projects');
    const { projects } = (await listed.json()) as { projects: { id: string }[] };
    const traces = ['first', 'second', 'third'].map((text) => ({
      modelId: 'm',
      projectId: projects[0]?.id,
      input: `The ${text} question`,
      output: `The ${text} answer`,
      score: null,
    }));
    const headers = { 'Content-Type': 'application/json' };
    await fetch('/api/v1/traces', { method: 'POST', headers, body: JSON.stringify(traces) });
  });
  await page.getByRole('tab', { name: 'Traces' }).click();
  const grid = page.getByRole('grid', { name: 'Traces' });
  const rowOf = (text: string) => grid.getByRole('row', { name: `The ${text} question` });
  await rowOf('third').focus();
  // The newest is the first; each score goes on to the next one.
  await page.keyboard.press('5');
  await page.keyboard.press('j');
  await expect(rowOf('first')).toBeFocused();
  await page.keyboard.press('2');
  await expect(rowOf('third').getByRole('gridcell').first()).toHaveText('1');
  await expect(rowOf('second').getByRole('gridcell').first()).toHaveText('none');
  await expect(rowOf('first').getByRole('gridcell').first()).toHaveText('0.25');
  const panel = page.getByRole('region', { name: 'Traces', exact: true });
  await expectAccessible(panel);

  await panel.getByRole('combobox', { name: 'Score' }).selectOption('good: 0.8 or more');
  await expect(panel.getByText('1 trace', { exact: true })).toBeVisible();
  await page.reload();
  await expect(panel.getByText('1 trace', { exact: true })).toBeVisible();
  await rowOf('third').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Trace' });
  await dialog.getByRole('textbox', { name: /^Feedback/ }).fill('As it should be.');
  await dialog.getByRole('button', { name: 'Add to dataset' }).click();
  await expect(dialog.getByText('in a dataset')).toBeVisible();
  await expectAccessible(dialog);
  await page.keyboard.press('Escape');
  await expect(rowOf('third')).toContainText('in a dataset');
});
