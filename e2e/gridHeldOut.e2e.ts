// From two models in panes to their pass rates on validation rows, in a real browser with the real sample.
import { expect, goTo, originOf, test } from './fixtures.ts';
import { choose, expectAccessible, keepShort, reload, toPane } from './steps.ts';

test('validation rows are run on two models in three clicks, and the failures of one are a click away', async ({
  studioPage: page,
}) => {
  // Rows that the sample brings, on a model that was tuned for them and on its base model.
  const models = await page.request.get(`${originOf(page)}/api/v1/models`);
  const { data } = (await models.json()) as { readonly data: readonly { readonly id: string }[] };
  const tuned = data.find(({ id }) => id.startsWith('ft-'))?.id ?? '';
  await page.goto(`${originOf(page)}/?models=${tuned},support-base`);
  await keepShort(toPane(page, 1));
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await page.getByRole('button', { name: '200 validation rows of Ticket triage · Snapshot 1' }).click();
  await expect(page.getByRole('button', { name: 'Rename Ticket triage · Snapshot 1 · 200 rows' })).toBeVisible();
  // Rows are alike, and `grid` looks at a whole one.
  await expectAccessible(page.getByRole('grid').getByRole('row').nth(1));
  await page.getByRole('button', { name: 'Run grid' }).click();

  const base = page.getByRole('columnheader', { name: /support-base/ });
  // Nothing that was left in the chat is sent.
  await expect(base.getByRole('button', { name: 'Neutral: neutral settings' })).toHaveAttribute('aria-pressed', 'true');
  await expect(base.getByRole('button', { name: 'Sent: temperature 0', exact: true })).toBeVisible();
  const failures = base.getByRole('button', { name: /^\d+ not passed$/ });
  await expect(failures).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('gridcell', { name: /^passed/ }).first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible();
  await failures.click();
  // Answers that were on their way when it stopped may still be judged: the three figures agree once they are.
  await expect(async () => {
    const count = Number.parseInt((await failures.textContent()) ?? '', 10);
    const brief = { timeout: 1000 };
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(count + 1), brief);
    await expect(page.getByRole('combobox', { name: 'Rows shown' }).getByRole('option', { selected: true })).toHaveText(
      `Not passed by 2 · support-base · ${count}`,
      brief,
    );
  }).toPass({ timeout: 20_000 });
  await failures.click();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '201');

  // It is among the sessions, with its pass rates, and opens from there.
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await reload(page);
  await choose(page.getByRole('button', { name: 'Playground menu' }), 'Sessions');
  const sessions = page.getByRole('dialog', { name: 'Sessions' });
  const entry = sessions.getByRole('button', { name: /^Grid Ticket triage · Snapshot 1 · 200 rows .* passed, greedy/ });
  await expect(entry).toBeVisible();
  await expectAccessible(sessions);
  await entry.click();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '201');

  // A checkpoint that is gone is named, says so, and leads to the final model.
  await goTo(page, `?models=${tuned}-step-338,support-base`);
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  const pane = toPane(page, 1);
  const model = pane.getByRole('combobox', { name: 'Model' });
  await expect(model).toHaveValue(/^Experiment \d · \w+, step 338$/);
  const removed = pane.getByRole('region', { name: 'Removed checkpoint' });
  await expect(removed).toContainText(
    /The checkpoint of step 338 of Experiment \d · \w+ was removed when the run ended/,
  );
  await expectAccessible(removed);
  await removed.getByRole('button', { name: 'Use the final model' }).click();
  await expect(model).toHaveValue(/^Experiment \d · \w+ · Ticket triage$/);
  await expect(removed).toBeHidden();
});
