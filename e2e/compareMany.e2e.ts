// The compare view with much in it: fifty figures, 200 candidates, on paper, and what axe finds.
import { go, grid, readIds } from './comparePage.ts';
import { expect, openGateway, signIn, test, watchPage } from './fixtures.ts';
import { REMOTE_IDS } from './remoteStudio.ts';
import { remoteId } from './remoteTree.ts';
import { expectAccessible } from './steps.ts';

test('fifty figures of the service’s own are folded away, but not on paper', async ({ gatewayPage: page, gateway }) => {
  await test.step('fifty figures of the service’s own are folded away until they are asked for', async () => {
    await page.goto(
      `${gateway.studio.origin}/?project=${REMOTE_IDS.project}&tab=compare&compare=x:${REMOTE_IDS.succeeded},x:${remoteId(44)}&plot=none&diff=0`,
    );
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f6/ })).toBeVisible();
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f9/ })).toHaveCount(0);
    const more = grid(page).getByRole('button', { name: /^More figures, \d+$/ });
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await more.press('Enter');
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f49/ })).toBeAttached();
    await expect(more).toBeFocused();
    await expectAccessible(page.getByRole('region', { name: 'Compare' }));

    // A row that orders the columns stays under the keys, while it is unfolded and when it is folded again.
    const late = grid(page).getByRole('rowheader', { name: /figures\.f49/ });
    for (const order of ['ascending', 'descending', 'none', 'ascending']) {
      await late.getByRole('button').press('Enter');
      await expect(late).toHaveAttribute('aria-sort', order);
      await expect(late.getByRole('button')).toBeFocused();
    }
    await more.press('Enter');
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f48/ })).toHaveCount(0);
    for (const order of ['descending', 'none']) {
      await late.getByRole('button').press('Enter');
      await expect(late).toHaveAttribute('aria-sort', order);
      await expect(late.getByRole('button')).toBeFocused();
    }
    await more.press('Enter');
    await more.press('Enter');
    await expect(late).toHaveCount(0);
  });
  await test.step('on paper: all axes of a plot, also those that are folded away on the screen', async () => {
    await go(
      page,
      `project=${REMOTE_IDS.project}&tab=compare&compare=x:${REMOTE_IDS.succeeded},x:${remoteId(44)}&diff=0`,
    );
    const figure = page.getByRole('figure', { name: 'Compared candidates' });
    const last = figure.getByTitle('figures.f49', { exact: true });
    await expect(figure.getByRole('button', { name: /^Show \d+ more axes$/ })).toBeVisible();
    await expect(last).toHaveCount(0);
    await page.emulateMedia({ media: 'print' });
    await expect(last).not.toHaveCount(0);
    await page.emulateMedia({ media: 'screen' });
    await expect(last).toHaveCount(0);
  });
});

test('on paper: the workspace alone, every column, and where it came from', async ({ studioPage: page }) => {
  const experiments = await readIds(page, 'experiment');
  await go(page, `tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&plot=none&diff=0`);
  await expect(grid(page)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('tree')).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Compare' })).toBeHidden();
  // Four across a page, the baseline again on each.
  const heads = page.getByRole('region', { name: 'Compare' }).getByRole('columnheader', { name: /run of/ });
  await expect(heads).toHaveCount(experiments.length + Math.ceil((experiments.length - 1) / 3) - 1);
  // The lines of a plot have their colours' names there: paper has nothing to point at. The best run, the second that
  // was chosen, is the first column.
  await expect(heads.first().locator('span.bg-s2')).toBeVisible();
  await expect(heads.nth(1).locator('span.bg-s1')).toBeVisible();
  await expect(page.getByText(/tab=compare.* · printed/)).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expect(grid(page)).toBeVisible();
});

test('200 candidates: few are drawn, the last one is a scroll away', async ({ page }) => {
  const gateway = await openGateway({ nodes: 400 });
  const { studio } = gateway;
  try {
    const watch = watchPage(page, studio.origin);
    await signIn(page, studio);
    const experiments = (await readIds(page, 'experiment', REMOTE_IDS.largeProject)).slice(0, 200);
    expect(experiments).toHaveLength(200);
    await go(
      page,
      `project=${REMOTE_IDS.largeProject}&tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&plot=none&diff=0`,
    );
    await expect(grid(page)).toHaveAttribute('aria-colcount', '201');
    await expect(
      grid(page)
        .getByRole('row', { name: /base_model_id/ })
        .getByRole('gridcell')
        .first(),
    ).toContainText('qwen3-0.6b');
    expect(await grid(page).getByRole('columnheader').count()).toBeLessThan(30);
    await grid(page).getByRole('gridcell').first().click();
    for (const [key, cell] of [
      ['End', '0:199'],
      ['Home', '0:0'],
    ] as const) {
      // The best run moves to the front when its job answers, maybe after a key: the focus goes with its column.
      await expect(async () => {
        await page.keyboard.press(key);
        await expect(page.locator(`[data-cell="${cell}"]`)).toBeFocused({ timeout: 2_000 });
        await expect(page.locator('td:focus')).toBeInViewport({ timeout: 2_000 });
      }).toPass();
      expect(await grid(page).getByRole('columnheader').count()).toBeLessThan(30);
    }
    expect(watch.faults).toEqual([]);
  } finally {
    await gateway.close();
  }
});
