// The experiments table on the sample project: what it shows, sorts, selects and opens.
import type { Locator } from '@playwright/test';
import { expectPlotRead, head, names, openTable, region, table } from './experimentsPage.ts';
import { expect, test } from './fixtures.ts';
import { expectAccessible } from './steps.ts';

test('the table of runs: its keys, what its jobs tell, and what moves nothing', async ({ studioPage: page }) => {
  await test.step('keys: rows, heads, a selection, the way round a plot', async () => {
    await test.step('a plot is skipped by one stop of Tab, which is seen only then and moves nothing', async () => {
      // In a page that was just opened: the table keeps which of its cells Tab stops at.
      await openTable(page, '&plot=parallel');
      await expectPlotRead(page);
      const skip = page.getByRole('figure', { name: 'Runs as lines' }).getByRole('button', { name: 'Skip the plot' });
      await expect(skip).toHaveCSS('opacity', '0');
      const before = await names(page).first().boundingBox();
      await page.getByRole('button', { name: 'Download all as' }).focus();
      await page.keyboard.press('Tab');
      await expect(skip).toBeFocused();
      await expect(skip).toHaveCSS('opacity', '1');
      expect(await names(page).first().boundingBox()).toEqual(before);
      await expectAccessible(skip);
      await page.keyboard.press('Enter');
      await expect(page.getByText('End of the plot')).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(table(page).getByRole('checkbox', { name: /^Compare all/ })).toBeFocused();
      await page.emulateMedia({ media: 'print' });
      await expect(skip).toBeHidden();
      await expect(page.getByText('End of the plot')).toBeHidden();
      await page.emulateMedia({ media: 'screen' });
      await openTable(page, '&plot=scatter');
      await expectPlotRead(page);
      await expect(skip).toHaveCount(0);
    });
    await test.step('works by keyboard: moves, selects, opens', async () => {
      await openTable(page, '&plot=none');
      const row = (place: number): Locator => table(page).locator(`[data-place="${place}"]`);
      await row(0).focus();
      await page.keyboard.press('ArrowDown');
      await expect(row(1)).toBeFocused();
      await page.keyboard.press('Space');
      await expect(row(1)).toHaveAttribute('aria-selected', 'true');
      await page.keyboard.press('End');
      await expect(row(6)).toBeFocused();
      await page.keyboard.press('Shift+Space');
      await expect(table(page).locator('[aria-selected="true"]')).toHaveCount(6);
      await expect(region(page).getByRole('button', { name: 'Open 5 in playground' })).toBeVisible();
      await expect(page.getByRole('tab', { name: /^Compare 6/ })).toBeVisible();
      // In a low window the bar of the selection stays in view, above the last row unless that is scrolled to.
      const size = page.viewportSize();
      await page.setViewportSize({ width: 1280, height: 420 });
      await page.keyboard.press('Home');
      await page.keyboard.press('End');
      const [last, bar] = [await row(6).boundingBox(), await region(page).locator('[data-foot]').boundingBox()];
      expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      if (size) await page.setViewportSize(size);
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      // Its details, and Back brings the table with what is selected in it.
      await expect(page.getByRole('treeitem', { selected: true })).toContainText('Experiment 1');
      await expect(page.getByRole('tab', { name: 'Detail' })).toHaveAttribute('aria-selected', 'true');
      await page.goBack();
      await expect(table(page).locator('[aria-selected="true"]')).toHaveCount(6);
    });
    await test.step('the heads are one stop of Tab: arrows go along them, into the rows and back', async () => {
      await openTable(page, '&plot=none&columns=label,status,last_loss');
      const heads = table(page).getByRole('columnheader');
      await expect(heads).toHaveCount(4);
      await expect(table(page).locator('thead [tabindex="0"]')).toHaveCount(1);
      await page.getByRole('button', { name: 'Download all as' }).focus();
      await page.keyboard.press('Tab');
      await expect(table(page).getByRole('checkbox', { name: /^Compare all/ })).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      const status = head(page, 'Status').getByRole('button', { name: 'Status', exact: true });
      await expect(status).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(head(page, 'Status')).toHaveAttribute('aria-sort', 'ascending');
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('button', { name: 'Filter Status', exact: true })).toBeFocused();
      // The name of a number's column stands right of its filter.
      await page.keyboard.press('End');
      await expect(head(page, 'Training loss').getByRole('button', { name: /^Training loss/ })).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(table(page).locator('[data-place="0"]')).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await expect(head(page, 'Training loss').getByRole('button', { name: /^Training loss/ })).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(table(page).locator('[data-place="0"]')).toBeFocused();
      await page.keyboard.press('End');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('ArrowDown');
      await expect(table(page).locator('[data-place="0"]')).toBeFocused();
    });
    await test.step('Shift and an arrow select; Clear takes out what is of this table, and can be undone', async () => {
      await openTable(page, '&plot=none&compare=x:of-another-place');
      await expect(region(page).getByText('1 selected, none of them here')).toBeVisible();
      await table(page).locator('[data-place="0"]').focus();
      await page.keyboard.press('Shift+ArrowDown');
      await expect(table(page).locator('[aria-selected="true"]')).toHaveCount(2);
      await expect(region(page).getByText('3 selected, 2 of them here')).toBeVisible();
      await region(page).getByRole('button', { name: 'Clear', exact: true }).click();
      await expect(region(page).getByText('1 selected, none of them here')).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(table(page).locator('[aria-selected="true"]')).toHaveCount(2);
    });
  });
  await test.step('every experiment with what its job tells; what is pointed at, compared or printed moves nothing', async () => {
    await test.step('shows every experiment of the project with what its job tells, and sorts', async () => {
      await openTable(
        page,
        '&plot=none&columns=label,dataset,status,batch_size,learning_rate_multiplier,last_loss,failure',
      );
      await expect(names(page)).toHaveCount(7);
      await expect(table(page)).toHaveAttribute('aria-rowcount', '8');
      const failed = table(page).getByRole('row').filter({ hasText: 'failed' });
      await expect(failed.getByRole('gridcell').last()).toBeAttached();
      // Missing values are said.
      await expect(failed.getByText('1', { exact: true }).first()).toBeVisible();
      await expect(
        table(page).getByRole('row').filter({ hasText: 'done' }).first().getByText('none', { exact: true }),
      ).toBeAttached();
      await test.step('sorts, with missing values last both ways; the address keeps it', async () => {
        const at = await head(page, 'Training loss').evaluate((cell) =>
          [...(cell.parentElement?.children ?? [])].indexOf(cell),
        );
        const losses = table(page).locator(`[data-place] > :nth-child(${at + 1})`);
        await expect(losses).toHaveCount(7);
        const button = head(page, 'Training loss').getByRole('button', { name: /^Training loss/ });
        const read = async (): Promise<number[]> =>
          (await losses.allTextContents()).map(Number).filter((value) => !Number.isNaN(value));
        for (const direction of ['ascending', 'descending'] as const) {
          await button.click();
          await expect(head(page, 'Training loss')).toHaveAttribute('aria-sort', direction);
          await expect(losses.last()).toHaveText('—');
          const values = await read();
          expect(values.length).toBeGreaterThan(3);
          expect(values).toEqual(values.toSorted((a, b) => (direction === 'ascending' ? a - b : b - a)));
        }
        await head(page, 'Dataset')
          .getByRole('button', { name: 'Dataset', exact: true })
          .click({ modifiers: ['Shift'] });
        await expect(page).toHaveURL(/sort=-last_loss,dataset/);
        await page.reload();
        await expect(head(page, 'Training loss')).toHaveAttribute('aria-sort', 'descending');
      });
    });
    await test.step('rows and heads: what is pointed at, compared or printed moves nothing; columns are chosen', async () => {
      await openTable(page, '&plot=none');
      await test.step('the actions of a hovered row take no room from its name', async () => {
        await expect(names(page)).toHaveCount(7);
        await expect(head(page, 'Training loss')).toBeVisible();
        const name = names(page).first().locator('[data-do="open"]');
        const before = await name.boundingBox();
        await name.hover();
        const action = names(page).first().getByRole('button', { name: 'Try in playground' });
        await expect(action).toBeVisible();
        const after = await name.boundingBox();
        expect([after?.x, after?.width]).toEqual([before?.x, before?.width]);
        expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
        expect((await action.boundingBox())?.x).toBeGreaterThanOrEqual((after?.x ?? 0) + (after?.width ?? 0));
      });
      await test.step('what all rows share is named beneath the table; on paper heads stand over their columns', async () => {
        await expect(region(page).getByText(/^Same for all: .*Base model support-base/)).toBeVisible();
        await expect(head(page, 'Base model')).toHaveCount(0);
        await page.emulateMedia({ media: 'print' });
        const place = await head(page, 'Training loss').evaluate((cell) => {
          const row = cell.closest('table')?.querySelector('tbody tr');
          const below = row?.children[[...(cell.parentElement?.children ?? [])].indexOf(cell)];
          const [above, under] = [cell.getBoundingClientRect(), below?.getBoundingClientRect()];
          return {
            isolated: Math.abs(above.left - (under?.left ?? Infinity)),
            over: (cell.closest('table')?.scrollWidth ?? 0) - document.documentElement.clientWidth,
          };
        });
        expect(place.isolated).toBeLessThan(1);
        expect(place.over).toBeLessThanOrEqual(0);
        await page.emulateMedia({ media: 'screen' });
      });
      await test.step('a compared row keeps its whole name where it was, on paper too its colour', async () => {
        await page.mouse.move(0, 0);
        const row = table(page).getByRole('row', { name: 'Experiment 1 · LoRA' }).first();
        const name = row.locator('[data-do="open"]');
        await expect(head(page, 'Training loss')).toBeVisible();
        const before = await name.boundingBox();
        await row.getByRole('checkbox').check();
        await expect(row.locator('.bg-series-1')).toBeVisible();
        expect(await name.boundingBox()).toEqual(before);
        await name.hover();
        await expect(row.getByRole('button', { name: 'Try in playground' })).toBeVisible();
        expect(await name.boundingBox()).toEqual(before);
        expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
        await page.emulateMedia({ media: 'print' });
        await expect(row.locator('.bg-series-1')).toBeVisible();
      });
      await test.step('columns are chosen and pinned; what has no value is offered with the reason', async () => {
        await page.emulateMedia({ media: 'screen' });
        await page.getByRole('button', { name: 'Columns', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: 'Columns' });
        await dialog.getByRole('checkbox', { name: 'Snapshot' }).check();
        await expect(head(page, 'Snapshot')).toBeAttached();
        await dialog.getByRole('checkbox', { name: 'Validation rows' }).check();
        await expect(table(page).getByRole('gridcell', { name: '200', exact: true }).first()).toBeAttached();
        await dialog.getByRole('button', { name: 'Pin Status' }).click();
        await expect(page).toHaveURL(/pins=label,status/);
        await dialog.getByRole('button', { name: 'Reset columns' }).click();
        await expect(head(page, 'Snapshot')).toHaveCount(0);
      });
    });
  });
  await test.step('the head of a sorted column has its whole name, and nothing moves', async () => {
    for (const width of [1440, 1920]) {
      await test.step(`${width} px wide`, async () => {
        await page.setViewportSize({ width, height: 900 });
        const sorted = [
          'held_out.exact_match',
          'learning_rate_multiplier',
          'batch_size',
          'training_type',
          'last_loss',
          'n_epochs',
          'first_loss',
          'dataset',
        ];
        await openTable(page, `&plot=none&columns=label,${sorted.join(',')}`);
        await expect(table(page).getByRole('columnheader')).toHaveCount(sorted.length + 2);
        const words = table(page).locator('thead [data-stop^="sort"] > span:first-child');
        const places = () =>
          words.evaluateAll((all) => all.map((word) => word.getBoundingClientRect().toJSON() as unknown));
        const cut = () =>
          words.evaluateAll((all) =>
            all
              .filter((word) => word.scrollHeight > word.clientHeight + 1 || word.scrollWidth > word.clientWidth)
              .map((word) => word.textContent),
          );
        const scrolled = () => table(page).evaluate((grid) => grid.scrollWidth - grid.clientWidth);
        const [before, wide] = [await places(), await scrolled()];
        expect(await cut()).toEqual([]);
        for (const [at, id] of sorted.entries()) {
          await table(page)
            .locator(`[data-stop="sort ${id}"]`)
            .click(at === 0 ? {} : { modifiers: ['Shift'] });
        }
        await expect(table(page).locator('thead [aria-sort$="ending"]')).toHaveCount(sorted.length);
        expect(await cut()).toEqual([]);
        expect([await places(), await scrolled()]).toEqual([before, wide]);
      });
    }
  });
});
