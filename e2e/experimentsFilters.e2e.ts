// What leaves rows of the experiments table out: words, columns, groups, ranges and the plot.
import { expectPlotRead, head, names, openTable, region, table, goToTable } from './experimentsPage.ts';
import { expect, goTo, test } from './fixtures.ts';

test('filters, groups, plots and brushes', async ({ studioPage: page }) => {
  await test.step('filters by words, by column and by ranges; groups', async () => {
    await test.step('the text filter; filters by column, and groups', async () => {
      await openTable(page, '&plot=none');
      await test.step('a number of one digit finds names, not ids', async () => {
        await expect(names(page)).toHaveCount(7);
        for (const [text, count] of [
          ['experiment 2', 3],
          ['experiment 3', 1],
          ['lora 2', 1],
        ] as const) {
          await page.getByRole('searchbox', { name: 'Filter runs' }).fill(text);
          await expect(names(page)).toHaveCount(count);
        }
        await page.getByRole('searchbox', { name: 'Filter runs' }).fill('');
        await expect(names(page)).toHaveCount(7);
      });
      await test.step('a key that moves nothing takes no focus later', async () => {
        await table(page).locator('[data-place="0"]').focus();
        await page.keyboard.press('End');
        await page.keyboard.press('ArrowDown');
        const search = page.getByRole('searchbox', { name: 'Filter runs' });
        await search.click();
        await page.keyboard.type('triage');
        await expect(names(page)).toHaveCount(3);
        await expect(search).toBeFocused();
        await search.fill('');
      });
      await test.step('typing into the filter writes the address when it pauses, not with each key', async () => {
        const text = 'a filter of thirty-two characters';
        // All keys in one task: a slow machine would pause between them, and a pause is what is waited for.
        const writes = await page.getByRole('searchbox', { name: 'Filter runs' }).evaluateHandle((field, typed) => {
          const seen: string[] = [];
          const replace = window.history.replaceState.bind(window.history);
          window.history.replaceState = (...args) => {
            seen.push(String(args[2]));
            replace(...args);
          };
          const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
          for (let length = 1; length <= typed.length; length += 1) {
            setValue?.call(field, typed.slice(0, length));
            field.dispatchEvent(new Event('input', { bubbles: true }));
          }
          return seen;
        }, text);
        await expect(page).toHaveURL(/find=a(\+|%20)filter(\+|%20)of(\+|%20)thirty-two(\+|%20)characters/);
        expect(await writes.jsonValue()).toHaveLength(1);
        await expect(page.getByRole('searchbox', { name: 'Filter runs' })).toHaveValue(text);
      });
      await test.step('filters by words and by column, groups, and says when nothing is left', async () => {
        await page.getByRole('searchbox', { name: 'Filter runs' }).fill('');
        await expect(names(page)).toHaveCount(7);
        await head(page, 'Status').hover();
        await page.getByRole('button', { name: 'Filter Status', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: 'Filter Status' });
        await dialog.getByRole('checkbox', { name: /failed/ }).check();
        await expect(names(page)).toHaveCount(1);
        await expect(page).toHaveURL(/brush=status(=|%3D)failed/);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('button', { name: 'Filter Status', exact: true })).toBeFocused();
        await page.getByRole('searchbox', { name: 'Filter runs' }).fill('replies');
        await expect(region(page).getByText('No run matches the filters')).toBeVisible();
        await page.getByRole('button', { name: 'Clear all filters' }).click();
        await expect(names(page)).toHaveCount(7);
        await page.getByRole('searchbox', { name: 'Filter runs' }).fill('triage lora');
        await expect(names(page)).toHaveCount(1);
        await page.getByRole('searchbox', { name: 'Filter runs' }).fill('');
        await page.getByRole('combobox', { name: 'Group' }).selectOption('status');
        const group = table(page).getByRole('row', { name: /6 runs · 6 done · training loss/ });
        await expect(group).toHaveAttribute('aria-expanded', 'true');
        await group.click();
        await expect(group).toHaveAttribute('aria-expanded', 'false');
        await expect(names(page)).toHaveCount(3);
      });
    });
    await test.step('groups of one name say what sets them apart; a link groups by dataset', async () => {
      await openTable(page, '&plot=none&group=dataset');
      const groups = table(page).getByRole('row', { expanded: true });
      await expect(page.getByRole('combobox', { name: 'Group' })).toHaveValue('dataset');
      await expect(groups).toHaveCount(3);
      for (const name of ['Order tools', 'Polite replies', 'Ticket triage'])
        await expect(groups.getByText(name, { exact: true })).toBeVisible();
      await page.getByRole('combobox', { name: 'Group' }).selectOption('By job');
      await expect(page).toHaveURL(/group=job/);
      await expect(groups).toHaveCount(3);
      for (const name of ['First round · Ticket triage', 'First round · Order tools', 'Full and LoRA'])
        await expect(groups.getByText(name, { exact: true })).toBeVisible();
    });
    await test.step('a range that is typed is never turned round on the way', async () => {
      await openTable(page, '&plot=none&brush=batch_size:1..10');
      await head(page, 'Batch').hover();
      await page.getByRole('button', { name: 'Filter Batch', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Filter Batch' });
      const [from, to] = [
        dialog.getByRole('spinbutton', { name: 'from' }),
        dialog.getByRole('spinbutton', { name: 'to' }),
      ];
      await from.fill('');
      await from.pressSequentially('20');
      await expect(dialog.getByText('“from” (20) is greater than “to” (10)')).toBeVisible();
      await to.fill('');
      await to.pressSequentially('30');
      await expect(dialog.getByText(/is above/)).toHaveCount(0);
      await expect(page).toHaveURL(/brush=batch_size(:|%3A)20\.\.30/);
      await to.fill('x');
      await expect(dialog.getByText(/Batch to/)).toBeVisible();
      await from.fill('21');
      await expect(from).toHaveValue('21');
      await expect(to).toHaveValue('10');
      await expect(dialog.getByText(/Batch to/)).toBeVisible();
    });
  });
  await test.step('plots and filters: curves of what is left, brushes, and where a selection ends', async () => {
    await test.step('loss curves are those of the rows that the filters leave', async () => {
      await openTable(page, '&plot=loss&brush=last_loss:0.05..1');
      await expect(names(page)).toHaveCount(2);
      const losses = region(page).getByRole('figure', { name: 'Training loss' });
      await expect(losses.getByRole('list').getByRole('listitem')).toHaveCount(2);
      await expect(
        region(page).getByText('2 of 7 runs with losses; 5 outside the filters are not drawn.'),
      ).toBeVisible();
      await page.getByRole('button', { name: 'Remove filter Training loss' }).click();
      await expect(losses.getByRole('list').getByRole('listitem')).toHaveCount(7);
      await expect(region(page).getByText(/are not drawn/)).toHaveCount(0);
    });
    await test.step('curves name the diverged run that the cut of outliers leaves out, and show it', async () => {
      await goTo(page, '?tab=curves');
      const plot = page.getByRole('figure', { name: 'loss', exact: true });
      const outside = plot.getByText('1 run lies mostly outside: Experiment 3 · full.');
      await expect(outside).toBeVisible();
      await plot.getByRole('button', { name: 'Show all values' }).click();
      await expect(outside).toHaveCount(0);
      await expect(page).toHaveURL(/curves=shown/);
    });
    await test.step('brushing in the plot, and clicks on its categories, leave the compared set alone', async () => {
      await openTable(page, '&plot=parallel&columns=label,status,last_loss');
      const plot = page.getByRole('figure', { name: 'Runs as lines' });
      const axis = plot.getByRole('group', { name: 'Learning rate' });
      await expectPlotRead(page);
      const strip = await axis.getByRole('slider').first().locator('..').boundingBox();
      expect(strip).not.toBeNull();
      const { x, y, width, height } = strip ?? { x: 0, y: 0, width: 0, height: 0 };
      const tip = plot.locator('.shadow-pop');
      // From the end of a line, so that one is pointed at: then a drag.
      let at = y;
      for (; at <= y + height && (await tip.count()) === 0; at += 2) {
        await page.mouse.move(x + width / 2, at);
        await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
      }
      await expect(tip).toBeVisible();
      await page.mouse.down();
      // The line is still near when the drag begins.
      await page.mouse.move(x + width / 2, at + 3);
      await page.mouse.move(x + width / 2, y + height - 12, { steps: 4 });
      await page.mouse.up();
      await expect(page).toHaveURL(/brush=learning_rate_multiplier/);
      expect(new URL(page.url()).searchParams.get('compare')).toBeNull();
      await plot.getByRole('option', { name: 'failed' }).click();
      await plot.getByRole('button', { name: 'Training loss: not given' }).click();
      await expect(page).toHaveURL(/status(=|%3D)failed/);
      expect(new URL(page.url()).searchParams.get('compare')).toBeNull();
    });
    await test.step('what is selected on a column stays with its table, which names it where it leaves nothing', async () => {
      await goToTable(page, '&brush=last_loss:90..');
      await expect(
        region(page).getByText(
          'All 7 runs here are outside the selection on Training loss (in the plot or in a column’s filter).',
        ),
      ).toBeVisible();
      await page.getByRole('tab', { name: /Recommendations/ }).click();
      await expect(page).not.toHaveURL(/brush=/);
      await page.goBack();
      await expect(page).toHaveURL(/brush=last_loss/);
      await page
        .getByRole('treeitem', { name: /Ticket triage/ })
        .first()
        .click();
      await expect(page).not.toHaveURL(/brush=/);
    });
  });
});
