// What this browser keeps, through other versions of the studio and in a list: grids of before, newer and older
// formats.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openGrid, readRows } from './gridPage.ts';
import { expectAccessible, reload, settleStores } from './steps.ts';

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

test('grids are named, begun, opened, and deleted with a way back', async ({ gatewayPage: page, gateway }) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await readRows(page, 'Say a\nSay b');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Grids, open: echo · 2 rows' }).click();
  const list = page.getByRole('dialog', { name: 'Grids' });
  await list.getByRole('button', { name: 'Rename echo · 2 rows' }).click();
  await list.getByRole('textbox', { name: 'Name' }).fill('Regressions');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('button', { name: /^Regressions/ })).toBeVisible();
  await expectAccessible(list);
  await list.getByRole('button', { name: 'New grid' }).click();
  await expect(list).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add a row' })).toBeVisible();
  await page.getByRole('button', { name: 'Grids, open: Empty grid' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await list.getByRole('button', { name: 'Delete Regressions' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: 'Undo' }).click();
  await list.getByRole('button', { name: /^Regressions/ }).click();
  await expect(page.getByRole('grid').getByText('Say b')).toBeVisible();
  await reload(page);
  await expect(page.getByRole('button', { name: 'Grids, open: Regressions' })).toBeVisible();
  await expect(page.getByRole('grid').getByText('Say b')).toBeVisible();
});
