// The page on small screens: nothing lies outside, nothing overlaps, and everything of the header can be reached.
import { expect, goTo, originOf, test } from './fixtures.ts';
import { expectAccessible } from './steps.ts';

test('small screens: nothing outside, all tabs in view, sign-out within reach', async ({
  gatewayPage: page,
  gateway,
}) => {
  await test.step('at 340, 390 and 800 px nothing is wider than the screen', async () => {
    await page.setViewportSize({ width: 340, height: 800 });
    await page.goto(`${gateway.studio.origin}/?models=echo,missing`);
    for (const width of [340, 390, 800]) {
      await test.step(`${width} px`, async () => {
        await page.setViewportSize({ width, height: 800 });
        const project = page.getByRole('combobox', { name: 'Project' });
        await expect(project).toBeVisible();
        const parts = {
          Tree: page.getByRole('treeitem').first(),
          Workspace: page.getByRole('tablist', { name: 'Views of the selected node' }),
          Playground: page.getByRole('region', { name: 'Pane 1' }),
        };
        for (const [tab, part] of Object.entries(parts)) {
          await page.getByRole('tab', { name: tab }).click();
          await expect(part).toBeVisible();
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), tab).toBe(true);
        }
        await expect(page.getByRole('region', { name: 'Pane 2' }).getByText('2 of 2', { exact: true })).toBeAttached();
        expect((await project.boundingBox())?.width).toBeGreaterThanOrEqual(100);
        const edges = await page
          .getByRole('banner')
          .first()
          .locator(':scope > *')
          .evaluateAll((parts) =>
            parts
              .map((part) => part.getBoundingClientRect())
              .filter((box) => box.width > 0)
              .map(({ left, right }) => [left, right] as const),
          );
        expect(edges.flat()).toEqual(edges.flat().toSorted((a, b) => a - b));
        expect(edges.at(-1)?.[1]).toBeLessThanOrEqual(width);
        // axe looks at 800 px in `accessibility`.
        if (width === 340) await expectAccessible(page);
      });
    }
  });
  await test.step('with a project that is not there, signing out can be reached at every width', async () => {
    await goTo(page, '?project=11111111-2222-4333-8444-555555555555');
    await expect(page.getByText('not available').first()).toBeVisible();
    // The last is 1,440 px at a zoom of 200 %.
    for (const width of [400, 560, 900, 1024, 1440, 720]) {
      await page.setViewportSize({ width, height: 700 });
      const last = page
        .getByRole('banner')
        .first()
        .getByRole('button', { name: width < 560 ? 'More' : 'Sign out' });
      await expect(last, `${width} px`).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${width} px`).toBe(
        0,
      );
    }
  });
  await test.step('at 340 px all tabs are in view, none behind an edge', async () => {
    await page.setViewportSize({ width: 340, height: 800 });
    await goTo(page, '?compare=r:a:b');
    await page.getByRole('tab', { name: 'Workspace' }).click();
    await expect(page.getByRole('tab', { name: 'Compare 1' })).toBeVisible();
    for (const name of ['Overview', 'Recommendations', 'Runs', 'Compare 1', 'Detail'])
      await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });
  await test.step('below 560 px theme, reference and sign-out are in one menu', async () => {
    await page.setViewportSize({ width: 540, height: 800 });
    await goTo(page, '?');
    await page.getByRole('banner').first().getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemradio', { name: 'Theme: dark' }).click();
    await expect(page.locator('html')).toHaveClass(/dark/);
    await page.getByRole('banner').first().getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem', { name: 'API reference' })).toBeVisible();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out, keep them' }).click();
    await expect(page.getByLabel(/token/i).first()).toBeVisible();
  });
});

test('at 340 px the bar of what is compared takes two lines, and lies over nothing', async ({ studioPage: page }) => {
  await page.setViewportSize({ width: 340, height: 720 });
  await page.goto(`${originOf(page)}/`);
  await page.getByRole('tab', { name: 'Tree', exact: true }).click();
  await page.getByRole('treeitem').first().click();
  await page.getByRole('tab', { name: 'Workspace' }).click();
  await page.getByRole('tab', { name: /^Runs/ }).click();
  await page.getByRole('checkbox', { name: /Compare all/ }).check();
  const open = page.getByRole('button', { name: /^Open \d in playground$/ });
  const bar = open.locator('xpath=..');
  const line = (await open.boundingBox())?.height ?? 0;
  expect((await bar.boundingBox())?.height).toBeLessThan(3 * line);
  await expect(bar).toHaveCSS('position', 'static');
  await page.setViewportSize({ width: 790, height: 720 });
  await expect(bar).toHaveCSS('position', 'sticky');
});
