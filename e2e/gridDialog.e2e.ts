// Answers opened from the prompt grid, in a real browser: by a double click, over a change of the window's width;
// names.
import { expect, test } from './fixtures.ts';
import { openGrid, readRows, showRows } from './gridPage.ts';

test('a double click, and a click with Enter, open an answer and leave it open; long names, narrow windows', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await readRows(page, Array.from({ length: 40 }, (_, at) => `Say ${at}`).join('\n'));
  await page.getByRole('button', { name: 'Use these rows' }).click();
  const dialog = page.getByRole('dialog', { name: /^Row \d+/ });
  // From the first row to the last on show: some lie under Close, the backdrop or a button of the dialog.
  const cells = page.getByRole('gridcell', { name: /^not run/ });
  const shown = await cells.count();
  for (let at = 0; at < Math.min(shown, 10); at += 1) {
    await cells.nth(at).dblclick();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await cells.first().click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('region', { name: 'Messages' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();

  await test.step('a long name of a grid stays in the window', async () => {
    await page.getByRole('button', { name: /^Grids, open/ }).click();
    await page
      .getByRole('dialog', { name: 'Grids' })
      .getByRole('button', { name: /^Rename / })
      .click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('W'.repeat(200));
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Grids' })
      .getByRole('button', { name: 'Close', exact: true })
      .first()
      .click();
    const bar = page.getByRole('button', { name: /^Rename W+$/ });
    await expect(bar).toBeInViewport({ ratio: 1 });
    await expect(bar).toHaveAttribute('title', 'W'.repeat(200));
  });

  await test.step('an open answer and the rows on show stay when the window turns narrow', async () => {
    const filter = page.getByRole('combobox', { name: 'Rows shown' });
    await page.getByRole('searchbox', { name: 'Find in prompts and answers' }).fill('Say 17');
    await page
      .getByRole('gridcell', { name: /^not run/ })
      .first()
      .click();
    const row = page.getByRole('dialog', { name: /^Row 18/ });
    await expect(row).toBeVisible();
    await page.setViewportSize({ width: 800, height: 800 });
    await expect(page.getByRole('tab', { name: 'Playground', includeHidden: true })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await expect(row).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');
    await showRows(page, 'No answer · 0');
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await page.getByRole('button', { name: 'Grid', exact: true }).click();
    await expect(filter).toHaveValue('failed');
  });
});
