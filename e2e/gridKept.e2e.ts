// What the prompt grid keeps through a reload in the middle of a run, and its tooltips, in a real browser.
import { expect, test } from './fixtures.ts';
import { openGrid, readRows } from './gridPage.ts';
import { expectAccessible, reload } from './steps.ts';

test('a reload in the middle of a run fails no cell: Resume asks for those that were on their way', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.clock.install();
  await openGrid(page, gateway.studio.origin, 'echo,stream:40:6');
  await readRows(page, 'Say a\nSay b');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await reload(page);
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText(/^2 of 4/)).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^asking/ })).toHaveCount(2);
  // What the browser itself does, in its own order: the requests break off, and the page learns that it goes.
  await page.reload();
  await page.getByRole('button', { name: /^(Resume, \d left|Run grid)$/ }).click();
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0);

  await test.step('nothing covers what is beside Run; its reason is told on hover, and tips lie above dialogs', async () => {
    // The button is disabled now and lies under the pointer again, which has not moved.
    const run = page.getByRole('button', { name: 'Run grid' });
    await expect(run).toBeDisabled();
    await page.clock.fastForward(1000);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await page.mouse.move(0, 0);
    await run.hover({ force: true });
    await page.clock.fastForward(1000);
    await expect(page.getByRole('tooltip').filter({ hasText: 'Every cell has an answer.' })).toBeVisible();
    await page
      .getByRole('button', { name: /^Sent: / })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Sent by echo' });
    await dialog.getByRole('button', { name: 'Copy JSON' }).hover();
    await page.clock.fastForward(1000);
    const tip = page.getByRole('tooltip').filter({ hasText: 'Copy JSON' });
    await expect(tip).toBeVisible();
    const isOnTop = await tip.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(isOnTop).toBe(true);
    await expectAccessible(tip);
    await page.keyboard.press('Escape');
    await expect(tip).toHaveCount(0);
  });
});
