// What was on the screen is there after a reload, whatever the moment.
import { expect, signIn, test } from './fixtures.ts';
import { countReloads } from './reloads.ts';
import { run, toPane } from './steps.ts';

// `bench/reloads.ts` does this a hundred times.
test('nothing that was painted is missing after reloads at random moments of three answers', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway.studio);
  const { reloads, lost, painted } = await countReloads(page, gateway.studio.origin, 4, 20_261_122);
  expect({ reloads, lost }).toEqual({ reloads: 4, lost: 0 });
  expect(painted).toBeGreaterThan(0);
});

test('answers whose writes never ended are there again', async ({ page, gateway }) => {
  await signIn(page, gateway.studio);
  await page.goto(`${gateway.studio.origin}/?models=echo,echo`);
  await expect(toPane(page, 2)).toBeVisible();
  // Another page of this browser keeps the database to itself.
  const other = await page.context().newPage();
  await other.goto(`${gateway.studio.origin}/reference`);
  const held = other.waitForEvent('dialog');
  // A dialog that waits keeps the transaction open, and takes no processor time as one request after another would.
  const begun = other.evaluate(async () => {
    const open = indexedDB.open('studio.playground');
    await new Promise((resolve) => open.addEventListener('success', resolve));
    const store = open.result.transaction('records', 'readwrite').objectStore('records');
    const count = store.count();
    await new Promise((resolve) => count.addEventListener('success', () => resolve(alert('held'))));
  });
  const dialog = await held;
  await run(page, 'Is this kept?');
  for (const number of [1, 2]) await expect(toPane(page, number).getByText('You wrote: Is this kept?')).toBeVisible();
  const loaded = page.waitForEvent('load');
  await page.evaluate(() => location.reload());
  await loaded;
  await dialog.accept();
  await begun;
  for (const number of [1, 2]) await expect(toPane(page, number).getByText('You wrote: Is this kept?')).toBeVisible();
});
