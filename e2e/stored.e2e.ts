// What this browser keeps through other versions of the studio: grids of before, newer and older formats.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openGrid } from './gridPage.ts';
import { settleStores } from './steps.ts';

/** A page of the same origin without the studio: what it does stands for another version of it. */
async function openOther(page: Page, origin: string): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(`${origin}/reference`);
  return other;
}

test('grids of an older version are taken over, once its tab is gone', async ({ gatewayPage: page, gateway }) => {
  const other = await openOther(page, gateway.studio.origin);
  // The grids as version 1 stored them, in a tab that does not let go of them.
  await other.evaluate(async () => {
    const open = indexedDB.open('studio.grids', 1);
    open.addEventListener('upgradeneeded', () => ['grids', 'cells'].map((name) => open.result.createObjectStore(name)));
    await new Promise((resolve) => open.addEventListener('success', resolve));
    const transaction = open.result.transaction(['grids', 'cells'], 'readwrite');
    const columns = [{ id: 'c', label: 'echo', request: { model: 'echo', messages: [] } }];
    const rows = [{ messages: null, variables: [['prompt', 'An old question']], expected: null }];
    transaction
      .objectStore('grids')
      .put({ version: 1, savedAt: 1, prompt: '{{prompt}}', prompts: [], columns, checks: [], rows }, 'old');
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    window.addEventListener('let-go', () => open.result.close());
  });
  await openGrid(page, gateway.studio.origin, 'echo');
  await expect(
    page.getByText('An older version of the studio is open in another tab. Close or reload that tab', { exact: false }),
  ).toBeVisible();
  await other.evaluate(() => window.dispatchEvent(new Event('let-go')));
  await expect(page.getByRole('grid').getByText('An old question')).toBeVisible();
  await page.getByRole('button', { name: 'Grids, open: echo · 1 row' }).click();
  await expect(page.getByRole('list', { name: 'Grids' }).getByRole('listitem')).toHaveCount(1);
});

test('a tab gives way to a newer version and says so; the older version says what it can’t open', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Half a thought');
  await settleStores(page);
  const other = await openOther(page, gateway.studio.origin);
  const upgraded = await other.evaluate(() => {
    const open = indexedDB.open('studio.playground', 9);
    return new Promise((resolve) => {
      open.addEventListener('success', () => (open.result.close(), resolve(true)));
    });
  });
  expect(upgraded).toBe(true);
  await expect(
    page.getByText('A newer version of the studio is open in another tab, so this page can’t store', { exact: false }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await expect(
    page.getByText('This older version can’t open them, and leaves them unchanged', { exact: false }),
  ).toBeVisible();
  await expect(message).toBeEditable();
});
