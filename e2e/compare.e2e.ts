// The compare view: a link restores it whole; only what differs is shown; values are copied whole.
import type { Locator } from '@playwright/test';
import { copied, go, goToSnapshot, grid, query, readIds, rowNames } from './comparePage.ts';
import { expect, test } from './fixtures.ts';
import { expectAccessible, undoLast } from './steps.ts';

test('what is compared: links, differences, order, selections, keys, copies, and sets that are wrong', async ({
  studioPage: page,
}) => {
  await test.step('from nothing to the recommended ones, and a link restores set, baseline and switches', async () => {
    await goToSnapshot(page);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await expect(page.getByText('Nothing to compare yet')).toBeVisible();
    const button = page.getByRole('button', { name: /Compare \d+ recommended settings with \d+ runs/ });
    const [advised = 0, trained = 0] = ((await button.textContent()) ?? '').match(/\d+/g)?.map(Number) ?? [];
    await button.click();
    await expect(grid(page).getByText('baseline', { exact: true })).toBeVisible();
    const count = advised + trained;
    await expect(grid(page)).toHaveAttribute('aria-colcount', String(count + 1));
    // What was trained stands before what was not, and is compared with the best run.
    await expect(grid(page).getByRole('columnheader').nth(1)).toContainText(/Experiment 2.*baseline/s);
    await expect(grid(page).getByRole('columnheader').nth(3)).toContainText(/Experiment 3/);

    const second = grid(page).getByRole('columnheader').nth(2);
    await second.getByRole('button', { name: /Make .* the baseline/ }).click();
    await page.getByRole('combobox', { name: 'Plot' }).selectOption('none');
    // A switch that was never touched depends on how many are compared: once chosen, it stays.
    const isOn = await page.getByRole('switch', { name: 'Only differences' }).isChecked();
    await page.getByRole('switch', { name: 'Only differences' }).click();
    await expect(page.getByRole('switch', { name: 'Only differences' })).toBeChecked({ checked: !isOn });
    const names = await rowNames(page);
    const chosen = await page.getByRole('combobox', { name: 'Baseline' }).inputValue();

    const link = await page.evaluate(() => window.location.href);
    await page.goto('about:blank');
    await page.goto(link);
    await expect(grid(page)).toBeVisible();
    await expect.poll(() => rowNames(page)).toEqual(names);
    await expect(page.getByRole('combobox', { name: 'Baseline' })).toHaveValue(chosen);
    await expect(page.getByRole('switch', { name: 'Only differences' })).toBeChecked({ checked: !isOn });
    await expect(page.getByRole('combobox', { name: 'Plot' })).toHaveValue('none');
    await expect(grid(page)).toHaveAttribute('aria-colcount', String(count + 1));

    await page.getByRole('tab', { name: 'Recommendations' }).click();
    const lists = page.getByRole('region', { name: 'Recommendations' });
    await expect(lists.getByRole('checkbox', { checked: true })).toHaveCount(advised);
    await lists.getByRole('checkbox', { checked: true }).first().click();
    await expect(lists.getByText(`${count - 1} compared`)).toBeVisible();
  });
  await test.step('candidates: differences, order of the columns, selections; what keys do and what is copied', async () => {
    await test.step('what was trained beside what is recommended: only differences, one that is gone, sorting, copying', async () => {
      const experiments = await readIds(page, 'experiment');
      const [snapshot = ''] = await readIds(page, 'snapshot');
      const [first = '', second = ''] = experiments;
      await go(
        page,
        `node=${snapshot}&tab=compare&compare=x:${first},x:${second},x:gone,r:${snapshot}:m:support-base:lora&baseline=x:${second}&plot=none`,
      );
      await expect(grid(page).getByRole('columnheader', { name: /done/ })).toHaveCount(2);
      await expect(grid(page).getByText('This run is not in this project', { exact: false })).toBeVisible();

      // Three candidates and more show only what differs; the rest is named with the value that all share.
      await expect.poll(() => rowNames(page)).toContain('Training');
      await expect.poll(() => rowNames(page)).not.toContain('Base model');
      await expect(page.getByText(/equal rows? hidden:.*Base model support-base/)).toBeVisible();
      await page.getByRole('button', { name: 'Show all rows' }).click();
      await expect.poll(() => rowNames(page)).toContain('Base model');

      // A rate is measured by its ratio, a missing value is said.
      const rate = grid(page).getByRole('row', { name: /Learning rate/ });
      await expect(rate.getByText(/^×/).first()).toBeVisible();
      await expect(
        grid(page)
          .getByRole('row', { name: /Training loss/ })
          .getByText('not trained'),
      ).toBeVisible();

      // Sorted by a row, the baseline stays first.
      await rate.getByRole('button').click();
      await expect(rate.getByRole('rowheader')).toHaveAttribute('aria-sort', 'ascending');
      await expect(grid(page).getByRole('columnheader').nth(1)).toContainText('baseline');

      // Walked to by keys, copied whole: the cell shows fewer digits than the value has.
      const cell = rate.getByRole('gridcell').first();
      await cell.click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await expect(cell).toBeFocused();
      const whole = await cell.locator('[title]').getAttribute('title');
      expect(await copied(page, () => page.keyboard.press('Control+c'))).toBe(whole);
      await page.keyboard.press('ArrowRight');
      const next = await rate.getByRole('gridcell').nth(1).locator('[title]').getAttribute('title');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Copied Learning rate.')).toBeVisible();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(next);

      await page.getByRole('button', { name: /Remove column 3 from the comparison/ }).click();
      await expect(grid(page).getByText('This run is not in this project', { exact: false })).toBeHidden();
      await expect.poll(() => query(page).get('compare')).not.toContain('gone');
    });
    await test.step('a link restores the order of the columns; keys reach the names of the rows and change it', async () => {
      const experiments = await readIds(page, 'experiment');
      const refs = experiments.map((id) => `x:${id}`).join(',');
      await go(page, `tab=compare&compare=${refs}&plot=none&diff=0&order=-learning_rate_multiplier`);
      const rate = grid(page).getByRole('row', { name: /Learning rate/ });
      const header = rate.getByRole('rowheader');
      await expect(header).toHaveAttribute('aria-sort', 'descending');
      const order = async (): Promise<number[]> =>
        (
          await rate
            .getByRole('gridcell')
            .locator('[title]')
            .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('title'))))
        ).slice(1);
      // Of many columns only those near the view are drawn.
      await expect.poll(async () => (await order()).length).toBeGreaterThan(2);
      const falling = await order();
      expect(falling).toEqual(falling.toSorted((a, b) => b - a));

      // Left of the first cell stands the name; Enter on it sorts: not at all, then ascending.
      await rate.getByRole('gridcell').first().click();
      await page.keyboard.press('ArrowLeft');
      await expect(header.getByRole('button')).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(header).toHaveAttribute('aria-sort', 'none');
      await expect.poll(() => query(page).get('order')).toBeNull();
      await page.keyboard.press('Enter');
      await expect(header).toHaveAttribute('aria-sort', 'ascending');
      await expect.poll(() => query(page).get('order')).toBe('learning_rate_multiplier');
      const rising = await order();
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      expect(rising).not.toEqual(falling);
      await page.keyboard.press('ArrowUp');
      await expect(
        grid(page)
          .getByRole('row', { name: /^Batch (?!in rows)/ })
          .getByRole('rowheader')
          .getByRole('button'),
      ).toBeFocused();

      // Also where the row itself is hidden there is a way back.
      await page
        .getByRole('button', { name: 'Columns are sorted by Learning rate: show the best runs first again' })
        .click();
      await expect(header).toHaveAttribute('aria-sort', 'none');
    });
    await test.step('a selection without axes to see it on: named, cleared, followed by loss curves and by what is copied', async () => {
      const experiments = await readIds(page, 'experiment');
      await go(
        page,
        `tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&brush=training_type%3DLoRA&plot=loss&diff=0`,
      );
      const panel = page.getByRole('region', { name: 'Compare' });
      const outside = grid(page).getByText('outside the selection');
      await expect(outside.first()).toBeVisible();
      const curves = panel.getByRole('figure', { name: 'Training losses of the compared runs' });
      const names = curves.getByRole('listitem');
      await expect(
        panel.getByText(/^\d of \d runs with losses; \d outside the selection are not drawn\.$/),
      ).toBeVisible();
      for (const name of await names.allTextContents()) expect(name).toContain('LoRA');
      const inside = await names.count();
      expect(inside).toBeLessThan(experiments.length);

      await panel.getByRole('button', { name: `Copy the ${inside} selected as` }).click();
      const text = await copied(page, () => page.getByRole('menuitem', { name: 'JSON', exact: true }).click());
      const { candidates } = JSON.parse(text) as { candidates: { training_type: string }[] };
      expect(candidates.map(({ training_type }) => training_type)).toEqual(
        Array.from({ length: inside }, () => 'lora'),
      );

      for (const plot of ['none', 'loss']) {
        await page.getByRole('combobox', { name: 'Plot' }).selectOption(plot);
        await expect(panel.getByRole('list', { name: 'Filters' })).toHaveText('Training: LoRA');
      }
      await expectAccessible(panel);
      await panel.getByRole('button', { name: 'Remove filter Training' }).click();
      await expect.poll(() => query(page).get('brush')).toBeNull();
      await expect(outside).toHaveCount(0);
      await expect(panel.getByRole('button', { name: 'Copy all as' })).toBeVisible();
      await expect.poll(() => names.count()).toBeGreaterThan(inside);
    });
  });
  await test.step('sets that are wrong, mixed, cleared and put back', async () => {
    await test.step('a link that is mostly wrong says why there is no plot, and what can’t colour; names and losses of runs that differ', async () => {
      const [first = '', second = ''] = await readIds(page, 'experiment');
      await go(page, `tab=compare&compare=x:${first},x:gone,nonsense&plot=parallel&color=hasOwnProperty`);
      const panel = page.getByRole('region', { name: 'Compare' });
      await expect(
        panel.getByText(
          'No plot: one candidate to compare; 2 of 3 could not be found or read. A plot needs two or more.',
        ),
      ).toBeVisible();
      await page.getByRole('combobox', { name: 'Plot' }).selectOption('loss');
      await expect(panel.getByRole('figure', { name: 'Training losses of the compared runs' })).toBeVisible();

      await go(page, `tab=compare&compare=x:${first},x:${second}&plot=parallel&color=hasOwnProperty`);
      const colors = panel.getByRole('combobox', { name: 'Colour by' });
      await expect(colors.locator('option:checked')).toHaveText('hasOwnProperty (not here)');
      await colors.selectOption('');
      await expect.poll(() => query(page).get('color')).toBeNull();
      await expect(colors.getByRole('option', { name: 'hasOwnProperty' })).toHaveCount(0);
      await test.step('candidates and runs of one name are told apart in heads and choices', async () => {
        const experiments = await readIds(page, 'experiment');
        await go(page, `tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&plot=none`);
        const baseline = page.getByRole('combobox', { name: 'Baseline' });
        await expect(baseline.getByRole('option')).toHaveCount(experiments.length);
        const readNames = (): Promise<string[]> => baseline.getByRole('option').allInnerTexts();
        await expect.poll(async () => new Set(await readNames()).size).toBe(experiments.length);
        expect((await readNames()).join()).not.toMatch(/column \d/);
      });

      await test.step('losses on other rows have no distance from the baseline’s, parameters have', async () => {
        const experiments = await readIds(page, 'experiment');
        const [first = ''] = experiments;
        await go(page, `tab=compare&compare=x:${first},x:${experiments.at(-2)}&plot=none&diff=0`);
        const other = (name: RegExp): Locator => grid(page).getByRole('row', { name }).getByRole('gridcell').nth(1);
        for (const name of [/Training loss/, /First loss/])
          await expect(other(name)).toHaveText(/^≈?[\d.e-]+other data$/);
        await expect(other(/Exact match/)).toContainText('other data');
        await expect(other(/Epochs/)).toHaveText(/^\d+[+−]\d+$/);
      });
    });
    await test.step('Clear in the recommendations takes out what is of that list, and can be undone', async () => {
      const [experiment = ''] = await readIds(page, 'experiment');
      const [snapshot = ''] = await readIds(page, 'snapshot');
      await go(page, `node=${snapshot}&tab=recommendations&compare=x:${experiment}`);
      const panel = page.getByRole('region', { name: 'Recommendations' });
      await expect(panel.getByText('1 compared · none from this snapshot')).toBeVisible();
      await expect(panel.getByRole('button', { name: 'Clear', exact: true })).toHaveCount(0);
      await panel.getByRole('checkbox').first().check();
      await panel.getByRole('checkbox').nth(1).check();
      await expect(panel.getByText('3 compared')).toBeVisible();
      await expect.poll(() => query(page).get('compare')?.split(',')).toHaveLength(3);
      const all = query(page).get('compare');
      await panel.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect.poll(() => query(page).get('compare')).toBe(`x:${experiment}`);
      await undoLast(page);
      await expect.poll(() => query(page).get('compare')).toBe(all);
    });
    await test.step('a run is the baseline of advice, a chosen one stays; what is taken out can be put back, and keys go on from there', async () => {
      const experiments = await readIds(page, 'experiment');
      const [snapshot = ''] = await readIds(page, 'snapshot');
      await go(
        page,
        `node=${snapshot}&tab=compare&compare=r:${snapshot}:m:support-base:lora,r:${snapshot}:m:support-base:full&plot=none`,
      );
      const panel = page.getByRole('region', { name: 'Compare' });
      const first = grid(page).getByRole('columnheader').nth(1);
      await expect(first).toContainText('LoRA');
      await expect(first).toContainText('baseline');
      // The page is at its snapshot: no need to say which one it is.
      await expect(first).not.toContainText('Ticket triage');

      await page.getByRole('tab', { name: /^Runs/ }).click();
      await page
        .getByRole('row', { name: /Experiment 3/ })
        .getByRole('checkbox')
        .check();
      await page.getByRole('tab', { name: /^Compare/ }).click();
      await expect(grid(page)).toHaveAttribute('aria-colcount', '4');
      await expect(first).toContainText('Experiment 3');
      await expect(first).toContainText('baseline');
      await panel.getByRole('button', { name: /^Make support-base · LoRA .*the baseline$/ }).click();
      await expect(first).toContainText('LoRA');
      await expect.poll(() => query(page).get('baseline')).toBe(`r:${snapshot}:m:support-base:lora`);

      // A column that is moved stays where it is put.
      const heads = grid(page).getByRole('columnheader');
      await expect(heads.nth(2)).toContainText('Experiment 3');
      await panel.getByRole('button', { name: /^Move Experiment 3 .* right$/ }).click();
      await expect(heads.nth(3)).toContainText('Experiment 3');
      await panel.getByRole('button', { name: 'Columns are in your order: show the best runs first again' }).click();
      await expect(heads.nth(2)).toContainText('Experiment 3');

      const before = query(page).get('compare');
      await panel.getByRole('button', { name: /^Remove Experiment 3 .* from the comparison$/ }).press('Enter');
      await expect(panel).toBeFocused();
      await undoLast(page);
      await expect.poll(() => query(page).get('compare')).toBe(before);
      await panel.getByRole('button', { name: 'Remove all from the comparison' }).press('Enter');
      await expect(page.getByText('Nothing to compare yet')).toBeVisible();
      await expect(panel).toBeFocused();
      await undoLast(page);
      await expect.poll(() => query(page).get('compare')).toBe(before);
      await expect(grid(page)).toHaveAttribute('aria-colcount', '4');

      // Beside a run of other data each candidate says whose it is.
      await go(
        page,
        `node=${snapshot}&tab=compare&compare=r:${snapshot}:m:support-base:lora,x:${experiments.at(-1)}&plot=none&diff=0`,
      );
      await expect(grid(page).getByRole('columnheader', { name: /for Ticket triage › Snapshot 1/ })).toBeVisible();
    });
  });
  await test.step('on paper: the workspace alone, every column, and where it came from', async () => {
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
    await expect(heads.first().locator('span.bg-series-2')).toBeVisible();
    await expect(heads.nth(1).locator('span.bg-series-1')).toBeVisible();
    await expect(page.getByText(/tab=compare.* · printed/)).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await expect(grid(page)).toBeVisible();
  });
});
