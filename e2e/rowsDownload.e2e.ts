// Advice that can be followed: the rows come down, and the config of the advised model reads files of those names.
import { readIds } from './comparePage.ts';
import { expect, test } from './fixtures.ts';
import { choose, downloadedBy } from './steps.ts';

test('rows and config of what is recommended for a GPU elsewhere; none for a model that exists only here', async ({
  studioPage: page,
  studio,
}) => {
  // The third dataset: on the first two nothing is left to win, so nothing is recommended, and the last has pairs of replies.
  const snapshot = (await readIds(page, 'snapshot')).at(2) ?? '';
  await page.goto(`${studio.origin}/?node=${snapshot}&tab=recommendations`);
  const region = page.getByRole('region', { name: 'Recommendations' });
  const elsewhere = region.getByRole('group', { name: /^Config of llama/ });
  const download = elsewhere.getByRole('button', { name: 'Download config as' });
  await expect(region.getByText('recommended on a GPU elsewhere').first()).toBeVisible({ timeout: 15_000 });

  const rows = await downloadedBy(page, () => choose(download, 'Training rows (2,200)'));
  expect(rows.trimEnd().split('\n')).toHaveLength(2200);
  expect(JSON.parse(rows.slice(0, rows.indexOf('\n')))).toHaveProperty('messages');
  const config = await downloadedBy(page, () => choose(download, 'Axolotl (YAML)'));
  expect(config).toContain('path: "polite-replies-snapshot-1.training.jsonl"');
  expect(config).toContain('path: "polite-replies-snapshot-1.validation.jsonl"');

  const here = region.getByRole('group', { name: /^Config of support-base/ });
  await here.getByRole('button', { name: 'Copy config as' }).click();
  const item = page.getByRole('menuitem', { name: /^Axolotl/ });
  await expect(item).toHaveAttribute('aria-disabled', 'true');
  await expect(item).toContainText('support-base exists only in this studio');
});
