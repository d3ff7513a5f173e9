// What a remote studio's learning rate multiplier means: asked once, before a trainer's config leaves with it.
import { test } from 'vitest';
import { REMOTE_IDS } from '../remoteStudio.ts';
import { expect } from './expect.ts';
import { keepStudio } from './openPart.ts';
import { choose, downloadedBy } from './steps.ts';

const open = keepStudio();

test('a trainer’s config asks what the multiplier means, keeps the answer, and lets it be changed', async () => {
  const page = await open(`/?project=${REMOTE_IDS.project}&node=${REMOTE_IDS.snapshot}&tab=recommendations`);
  const button = page.getByRole('region', { name: 'Recommendations' }).getByRole('button', { name: 'Download all as' });
  const dialog = page.getByRole('dialog', { name: 'What does the learning rate multiplier mean here?' });
  const answer = dialog.getByRole('button', { name: 'Use this answer' });
  await expect(button).toBeVisible();

  // What needs no rate asks nothing.
  expect(await downloadedBy(page, () => choose(button, 'JSON'))).toContain('0.0002');
  await choose(button, 'Axolotl (YAML)');
  await expect(dialog.getByText(page.remote.url)).toBeVisible();
  await dialog.getByRole('radio', { name: /I don’t know/ }).click();
  expect(await downloadedBy(page, () => answer.click())).toContain(
    '\nlearning_rate: *set_the_learning_rate__nobody_said',
  );

  // Nothing was said yet, so it is asked again.
  await choose(button, 'TRL (shell)');
  await dialog.getByRole('radio', { name: /factor of my base rate/ }).click();
  await dialog.getByRole('textbox', { name: 'Base rate' }).fill('0');
  await answer.click();
  await expect(dialog.getByRole('alert')).toContainText('a number above 0');
  await dialog.getByRole('textbox', { name: 'Base rate' }).fill('0.5');
  const shell = await downloadedBy(page, () => answer.click());
  expect(shell).toContain('--learning_rate 0.0001 ');
  expect(shell).toContain('your base rate of 0.5');
  expect(shell).toContain('--eval_strategy epoch');

  // It is kept over a reload, and can be changed where it is used.
  await open(location.href);
  expect(await downloadedBy(page, () => choose(button, 'Unsloth (notebook cell)'))).toContain('learning_rate=0.0001,');
  await choose(button, 'Learning rate = 0.5 × the multiplier. Change…');
  await dialog.getByRole('radio', { name: /the learning rate itself/ }).click();
  await answer.click();
  await expect(dialog).toBeHidden();
  expect(await downloadedBy(page, () => choose(button, 'Axolotl (YAML)'))).toContain(
    '\nlearning_rate: 0.0002  # you said',
  );
});
