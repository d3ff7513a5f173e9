// The first screen: what needs a person, the best runs and what to train next, each a click from its place.
import { openHome, expect, test } from './fixtures.ts';
import { expectAccessible } from './steps.ts';

test('the first screen says what failed, what is best and what to train next', async ({ studioPage: page }) => {
  await openHome(page);
  const needs = page.getByRole('region', { name: 'Needs attention' });
  await expect(needs.getByText(/Loss is not finite at step 27\. Its learning rate 0\.2 is 133 times/)).toBeVisible();
  const best = page.getByRole('region', { name: 'Best of each dataset' });
  const row = (name: string) => best.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await expect(row('Ticket triage')).toContainText(/Experiment 2 · full.*100 %.*exact match · 98\.1–100/);
  await expect(row('Polite replies')).toContainText(/Experiment 1 · full.*0\.0739.*validation loss/);
  await expect(page.getByRole('region', { name: 'Nothing left to win' })).toContainText('200 of 200 held-out rows');
  const next = page.getByRole('region', { name: 'Train next' });
  await expect(next).toContainText('support-base');
  await expectAccessible(page);

  await needs.getByRole('button', { name: /^See why/ }).click();
  await expect(page.getByText(/Failed: loss is not finite at step 27/)).toBeVisible();
  await page.goBack();
  await next.getByRole('button', { name: /^See its config/ }).click();
  await expect(page.getByRole('heading', { name: 'Snapshot 1', level: 2 })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Recommendations' })).toHaveAttribute('aria-selected', 'true');
});

test('the runs of a dataset are compared by the measure that is chosen', async ({ studioPage: page }) => {
  await openHome(page);
  await page.getByRole('treeitem', { name: /^Polite replies/ }).click();
  const best = page.getByRole('region', { name: 'Best run' });
  const choice = best.getByRole('combobox', { name: 'Compare runs by' });
  await choice.selectOption('ids copied');
  await expect(best.getByRole('table')).toContainText(/100 %.*ids copied/);
  await expect(best.getByRole('table')).toContainText('not whether it is right');
  await choice.selectOption('');
  await expect(best.getByRole('table')).toContainText(/0\.0739.*validation loss/);
});
