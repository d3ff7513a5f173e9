// Completions that a GRPO run wrote: steps, a search, an order, and a file that is damaged. The folder is real.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logRows, trainerState } from '../src/features/runs/server/formats/hfTrainer.fixture.ts';
import { toCompletionsFile } from '../src/features/runs/server/completions/completions.fixture.ts';
import { readProject } from './comparePage.ts';
import { expect, signIn, test } from './fixtures.ts';
import { makeFolder, startStudio } from './startStudio.ts';
import { expectAccessibleInBothThemes } from './steps.ts';

const rowsOf = (step: number) =>
  Array.from({ length: 60 }, (_, at) => ({
    prompt: `What is ${at} + ${step}?`,
    completion: at === 7 ? `It is ${'a long thought. '.repeat(80)}${at + step}.` : `It is ${at + step}.`,
    rewards: { accuracy_reward: at / 100, format_reward: 1 },
    advantage: at / 10 - 3,
  }));

test('completions are chosen by step, sorted by reward, found and turned over by keys', async ({ page }) => {
  const folder = makeFolder('grpo');
  const inner = join(folder, 'grpo-a', 'completions');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(folder, 'grpo-a', 'trainer_state.json'), trainerState(20, { log_history: logRows(20) }));
  writeFileSync(join(inner, 'completions_00010.parquet'), toCompletionsFile(10, rowsOf(10)));
  writeFileSync(join(inner, 'completions_00020.parquet'), toCompletionsFile(20, rowsOf(20)));
  writeFileSync(join(inner, 'completions_00015.parquet'), toCompletionsFile(15, rowsOf(15)).subarray(0, 300));
  const studio = await startStudio({ args: ['--runs', folder, '--no-sample'] });
  try {
    await signIn(page, studio);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // A page that comes before the folder is read looks again a quarter of a minute later.
    await expect
      .poll(async () => {
        const project = await readProject(page);
        return (await page.request.get(`${studio.origin}/api/v1/public/projects/${project}`)).text();
      })
      .toContain('grpo-a');
    await page.goto(`${studio.origin}/`);
    await page
      .getByRole('treeitem', { name: /grpo-a/ })
      .last()
      .click();
    const part = page.getByRole('region', { name: 'Completions' });
    await expect(part.getByText('1 to 50 of 60 rows')).toBeVisible();
    const first = part.getByRole('listitem').first();
    await expect(first).toContainText('What is 59 + 20?');
    await expect(first).toContainText('0.59');

    // Eleven rows say as much as fifty.
    const find = part.getByLabel('Find in prompts and completions');
    await find.fill('What is 5');
    await expect(part.getByText('11 found in 60 rows')).toBeVisible();
    await part.scrollIntoViewIfNeeded();
    await expectAccessibleInBothThemes(part);
    await find.fill('');
    await expect(part.getByText('1 to 50 of 60 rows')).toBeVisible();

    await part.getByRole('button', { name: 'More rows' }).focus();
    await page.keyboard.press('Enter');
    await expect(part.getByText('51 to 60 of 60 rows')).toBeVisible();
    await part.getByLabel('Step').selectOption('10');
    await part.getByLabel('Sorted by').selectOption('-advantage');
    await expect(first).toContainText('What is 0 + 10?');
    await find.fill('long thought');
    await expect(part.getByText('1 found in 60 rows')).toBeVisible();
    await part.getByRole('button', { name: /^All [\d,]+ characters of the completion of row 8$/ }).click();
    await expect(first).toContainText('a long thought. 17.');

    await part.getByLabel('Step').selectOption('15');
    await expect(
      part.getByText(/completions_00015\.parquet can't be read as Parquet: its end is missing/),
    ).toBeVisible();
  } finally {
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
