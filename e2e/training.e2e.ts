// From a recommendation to a model that answers: the dialog, the job while it trains, and its end. The trainer is the tests' own.
import { resolve } from 'node:path';
import { expect, openHome, signIn, test, watchPage } from './fixtures.ts';
import { startStudio, type StartedStudio } from './startStudio.ts';
import { expectAccessible, toPane } from './steps.ts';

const TRAINER = resolve(import.meta.dirname, '../src/features/training/server/testTrainer.fixture.mjs');

let trained: StartedStudio;

test.beforeAll(async () => {
  trained = await startStudio({ args: ['--trainer', `node ${TRAINER} train 40 --objectives sft,dpo`] });
});
test.afterAll(async () => {
  await trained.stop();
});

test('a run is started by keyboard, watched until it ends, and tried beside its base model', async ({ page }) => {
  const { faults } = watchPage(page, trained.origin);
  await signIn(page, trained);
  await openHome(page);
  await page
    .getByRole('treeitem', { name: /^Snapshot 1/ })
    .nth(1)
    .click();
  const dialog = page.getByRole('dialog', { name: 'Start training' });
  const runs = dialog.getByRole('list', { name: 'Runs to start' }).getByRole('listitem');

  await test.step('the dialog opens with what can be tried, and says what a run takes', async () => {
    await page.getByRole('button', { name: 'Start training…' }).first().press('Enter');
    await expect(dialog.getByText(/^About [\d,]+ steps/).first()).toBeVisible();
    await expectAccessible(dialog);
  });

  await test.step('more settings are closed until they are asked for, and say what is wrong with a value', async () => {
    const before = await runs.count();
    const rank = dialog.getByRole('spinbutton', { name: 'LoRA rank of run 1' });
    await dialog.getByRole('combobox', { name: 'Training of run 1' }).selectOption('LoRA');
    await expect(rank).toBeHidden();
    const more = runs.nth(0).getByText(/^More settings/);
    await more.focus();
    await more.press('Enter');
    await expect(rank).toHaveAttribute('placeholder', '8');
    await rank.fill('300');
    const epochs = dialog.getByRole('spinbutton', { name: 'Epochs of run 1' });
    const wanted = await epochs.inputValue();
    await epochs.fill('99');
    await dialog.getByRole('spinbutton', { name: 'Learning rate of run 1' }).fill('9');
    // What was typed stays where it was typed, with all that is wrong, until it is corrected.
    await expect(rank).toHaveValue('300');
    await expect(rank).toHaveAttribute('aria-invalid', 'true');
    await expect(epochs).toHaveValue('99');
    await expect(epochs).toHaveAttribute('aria-invalid', 'true');
    await expect(runs.nth(0).getByText(/LoRA rank.*256/)).toBeVisible();
    await expect(runs.nth(0).getByText(/^Epochs must be a whole number/)).toBeVisible();
    await expect(runs.nth(0).getByText(/rate of 9 almost always diverges/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport();
    await epochs.fill(wanted);
    await dialog.getByRole('spinbutton', { name: 'Learning rate of run 1' }).fill('0.005');
    await rank.fill('4');
    await dialog.getByRole('combobox', { name: 'Scheduler of run 1' }).selectOption('linear');
    await dialog.getByRole('textbox', { name: 'Target modules of run 1' }).fill('q_proj, v_proj');
    await expect(more).toContainText('LoRA rank 4, Target modules q_proj v_proj, Scheduler linear');
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: '3 seeds of run 1' }).press('Enter');
    await expect(runs).toHaveCount(before + 2);
    await expect(runs.nth(2).getByText(/^More settings/)).toContainText('Seed 3');
    for (const place of [3, 2]) await dialog.getByRole('button', { name: `Remove run ${place}` }).click();
    await dialog.getByRole('combobox', { name: 'Training of run 1' }).selectOption('full');
    await expect(more).not.toContainText('rank');
  });

  await test.step('a run is swept, and equal ones are started as one', async () => {
    const before = await runs.count();
    await dialog.getByRole('button', { name: 'Sweep a value of run 1' }).press('Enter');
    await dialog.getByRole('combobox', { name: 'Sweep' }).selectOption('Epochs');
    const values = dialog.getByRole('textbox', { name: 'Values, a run for each' });
    await values.fill('1, 1.5');
    await values.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText('1.5');
    await values.fill('1, 2');
    await values.press('Enter');
    await expect(runs).toHaveCount(before + 1);
    await dialog.getByRole('spinbutton', { name: 'Epochs of run 2' }).fill('1');
    await expect(dialog.getByText('Equal to run 1: both are started as one.')).toBeVisible();
  });

  await test.step('a second press makes no second job', async () => {
    await dialog.getByRole('button', { name: 'Start 1 run' }).dblclick();
    await expect(page.getByRole('heading', { name: 'Round 2', level: 2 })).toBeVisible();
    await expect(page.getByRole('treeitem', { name: /^Round/ })).toHaveCount(1);
  });

  const job = page.getByRole('region', { name: 'Training of this job' });
  await test.step('its page follows the run until it ends', async () => {
    await expectAccessible(job);
    const line = job.getByRole('list', { name: 'Runs of this job' });
    await line.getByRole('button', { name: /^Experiment 1/ }).click();
    const run = page.getByRole('region', { name: 'This run’s training' });
    await expect(run.getByText('40 of 40')).toBeVisible();
    await expect(run.getByRole('figure', { name: 'Losses of this run' })).toBeVisible();
    await run.getByText('Log of the trainer').click();
    await expect(run.getByRole('textbox', { name: 'Log of the trainer' })).toHaveValue(/begins at step 0/);
    await expect(page.getByText(/^Round 2 has ended: 1 run done/)).toBeVisible();
    await expectAccessible(run);
  });

  await test.step('its model is tried without a reload', async () => {
    await page.getByRole('treeitem', { name: /^Round 2/ }).click();
    await job
      .getByRole('button', { name: /beside its base model$/ })
      .first()
      .click();
    await expect(toPane(page, 2)).toBeVisible();
  });
  expect(faults).toEqual([]);
});

test('pairs of answers are learnt by DPO from the dialog, with their rewards and a model to try', async ({ page }) => {
  const { faults } = watchPage(page, trained.origin);
  await signIn(page, trained);
  await openHome(page);
  await page
    .getByRole('treeitem', { name: /^Snapshot 1.*200/s })
    .last()
    .click();
  await page.getByRole('button', { name: 'Start training…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Start training' });
  const run = dialog.getByRole('list', { name: 'Runs to start' }).getByRole('listitem').first();
  await expect(run.getByRole('combobox', { name: 'Objective of run 1' })).toHaveValue('dpo');
  await expect(run.getByText('Goes on from Polite replies › Experiment 1 · full.')).toBeVisible();
  const others = dialog.getByRole('checkbox', { checked: true });
  for (let ticked = await others.count(); ticked > 1; ticked -= 1) await others.last().uncheck();
  await dialog.getByRole('button', { name: 'Start 1 run' }).click();
  const tryIt = page
    .getByRole('region', { name: 'Training of this job' })
    .getByRole('button', { name: /beside its base model$/ })
    .first();
  await expect(tryIt).toBeVisible();
  await page.getByRole('tab', { name: 'Curves' }).click();
  await expect(page.getByRole('figure', { name: /rewards/ }).first()).toBeVisible();
  await page.getByRole('tab', { name: /^Runs/ }).click();
  await tryIt.click();
  await expect(toPane(page, 2)).toBeVisible();
  expect(faults).toEqual([]);
});
