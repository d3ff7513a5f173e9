// How the window is shared: the two modes, and names that stay readable in small windows.
import { expect, openHome, test } from './fixtures.ts';

test('keys give the room to the playground, and what is selected takes it back; names stay readable at 1,024 px', async ({
  studioPage: page,
}) => {
  await openHome(page);
  const room = page.getByRole('group', { name: 'Layout' });
  const workspace = page.getByRole('region', { name: 'Workspace', exact: true });
  await expect(room.getByRole('button', { name: 'Decide' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Alt+Shift+Digit2');
  await expect(workspace).toBeHidden();
  await expect(page.getByRole('region', { name: 'Pane 1' })).toBeVisible();
  await page.reload();
  await expect(room.getByRole('button', { name: 'Try' })).toHaveAttribute('aria-pressed', 'true');
  await expect(workspace).toBeHidden();
  await test.step('a link to a tab shows it, also where the workspace was left closed', async () => {
    const link = new URL(page.url());
    link.searchParams.set('tab', 'curves');
    await page.goto('about:blank');
    await page.goto(link.href);
    await expect(page.getByRole('tab', { name: 'Curves', selected: true })).toBeVisible();
    await expect(room.getByRole('button', { name: 'Decide' })).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Alt+Shift+Digit2');
    await expect(workspace).toBeHidden();
    await page.reload();
    await expect(room.getByRole('button', { name: 'Try' })).toHaveAttribute('aria-pressed', 'true');
  });
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('treeitem', { name: /Experiment 3.*failed/ }).click();
  await expect(workspace.getByText(/^Failed:/)).toBeVisible();
  await expect(room.getByRole('button', { name: 'Decide' })).toHaveAttribute('aria-pressed', 'true');
  await test.step('in a window of 1,024 px every run can be told by its name', async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    const names = page.getByRole('treeitem', { name: /^Experiment/ }).locator('[title^="Experiment"]');
    await expect(names).toHaveCount(7);
    const cut = await names.evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).length);
    expect(cut).toBe(0);
  });
});
