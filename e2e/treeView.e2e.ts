// What the tree shows and lets one do, and the command palette: by keyboard, restored by a link, and live.
import type { Locator, Page } from '@playwright/test';
import { expect, goTo, openHome, test } from './fixtures.ts';
import { REMOTE_IDS } from './remoteStudio.ts';
import { expectAccessible } from './steps.ts';
import { fineTunedModel } from './remoteTree.ts';

const row = (page: Page, name: RegExp): Locator => page.getByRole('treeitem', { name });
const chip = (page: Page, name: RegExp): Locator =>
  page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name });
const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

test('the command palette, the tree with its filters and menus, and what changes in it', async ({
  gatewayPage: page,
  gateway: { remote },
}) => {
  await test.step('the command palette by keyboard; a link to a project that is not there', async () => {
    await test.step('a link to a project that is not there leads to one that is', async () => {
      for (const [project, why] of [
        ['no-id', /must be a UUID/],
        ['00000000-0000-4000-8000-000000009999', /not found/],
      ] as const) {
        await goTo(page, `?project=${project}`);
        await expect(page.getByText('This studio has no such project')).toBeVisible();
        await expect(page.getByRole('region', { name: 'Workspace' }).getByText(why)).toBeVisible();
      }
      await expectAccessible(page);
      await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'Remote desk' }).click();
      await expect(row(page, /^Remote desk/)).toBeVisible();
    });
    await test.step('the command palette finds nodes, models and actions by keyboard', async () => {
      const start = row(page, /^Snapshot 1/);
      await start.click();
      // Typed at once, before the code can be there: nothing is lost.
      await page.keyboard.press('Control+k');
      await page.keyboard.type('snap');
      const field = page.getByRole('combobox', { name: 'Search nodes, models and actions' });
      await expect(field).toBeFocused();
      await expect(field).toHaveValue('snap');
      await field.fill('');
      await expectAccessible(page.getByRole('dialog'));
      await field.fill('round experiment 9');
      await expect(page.getByText(/No results for/)).toBeVisible();
      await field.fill('experiment 4');
      const hit = page.getByRole('option', { name: /Experiment 4.*Assist tickets › Snapshot 1 › First round/ });
      await expect(hit).toHaveAttribute('aria-selected', 'true');
      await expect(field).toHaveAttribute('aria-activedescendant', (await hit.getAttribute('id')) ?? 'an id');
      await expectAccessible(page.getByRole('dialog'));
      await page.keyboard.press('Escape');
      await expect(field).toBeHidden();
      await expect(start).toBeFocused();
      // Typed and confirmed at once: what counts is what was typed.
      await page.keyboard.press('Control+k');
      await page.keyboard.type('experiment 4');
      await page.keyboard.press('Enter');
      await expect(row(page, /^Experiment 4/)).toHaveAttribute('aria-selected', 'true');
      await expect(page.getByRole('heading', { name: 'Experiment 4' })).toBeFocused();
      await page.getByRole('button', { name: /^Search/ }).click();
      await field.fill('echo');
      await expect(page.getByRole('option', { name: /echo Open in playground/ })).toHaveAttribute(
        'aria-selected',
        'true',
      );
      await page.keyboard.press('Enter');
      await expect.poll(() => query(page).get('models')).toBe('echo');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('running');
      await page.getByRole('option', { name: /Show running in the tree/ }).click();
      await expect.poll(() => query(page).get('status')).toBe('running');
      await expect(row(page, /^Experiment 2/)).toBeVisible();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('prompt grid');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Grid', exact: true })).toHaveAttribute('aria-pressed', 'true');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('clear filter');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('collapse all');
      await page.keyboard.press('Enter');
      await expect(row(page, /^Assist tickets/)).toHaveAttribute('aria-expanded', 'false');
    });
  });
  await test.step('the tree: chips and words that filter it, rows, menus', async () => {
    await test.step('status chips count, combine, and come back with the link', async () => {
      await page.getByRole('button', { name: 'Chat', exact: true }).click();
      await page.getByRole('button', { name: 'Expand all' }).click();
      await goTo(page, '?');
      await expect(chip(page, /^failed 1/)).toHaveAttribute('aria-pressed', 'false');
      await expect(chip(page, /^paused-by-operator 1/)).toBeVisible();
      await chip(page, /^failed/).click();
      await chip(page, /^running/).press('Enter');
      await expect(page.getByText('2 hits')).toBeVisible();
      await expect(row(page, /^Experiment [23]/)).toHaveCount(2);
      await expect(row(page, /^First round/)).toBeVisible();
      await expect(row(page, /^Experiment 1/)).toHaveCount(0);
      await expect.poll(() => query(page).get('status')).toBe('failed,running');
      await page.getByRole('searchbox', { name: 'Filter tree' }).fill('experiment 00042');
      await expect(page.getByText('1 hit', { exact: true })).toBeVisible();
      const idle = chip(page, /^succeeded 0/);
      await expect(idle).toHaveAttribute('aria-disabled', 'true');
      await expect(idle).toHaveAccessibleDescription(/No node that matches the text is succeeded/);
      await expectAccessible(page.getByRole('region', { name: 'Tree', exact: true }));
      await expect.poll(() => query(page).get('q')).toBe('experiment 00042');
      await page.reload();
      await expect(page.getByRole('searchbox', { name: 'Filter tree' })).toHaveValue('experiment 00042');
      await expect(chip(page, /^failed 1/)).toHaveAttribute('aria-pressed', 'true');
      await expect(row(page, /^Experiment/)).toHaveCount(1);
      await chip(page, /^failed/).click();
      await expect(page.getByText(/No node that is running matches every word of “experiment 00042”/)).toBeVisible();
      await expectAccessible(page.getByRole('region', { name: 'Tree', exact: true }));
      await page.getByRole('button', { name: 'Clear filter' }).last().click();
      await expect(row(page, /^Experiment/)).toHaveCount(5);
      await expect.poll(() => [query(page).get('q'), query(page).get('status')]).toEqual([null, null]);
    });
    await test.step('words match along the path; a row: its words, its button, its keys', async () => {
      await test.step('words match along the path: in the node itself or above it, in the tree and in the palette', async () => {
        const filter = page.getByRole('searchbox', { name: 'Filter tree' });
        await filter.fill('first exp 2');
        await expect(page.getByText('1 hit', { exact: true })).toBeVisible();
        await expect(row(page, /^Experiment 2/)).toBeVisible();
        // What is found is marked, and so is what the rows above it give.
        await expect(row(page, /^Experiment 2/).locator('mark')).toHaveText(['Exp', '2']);
        await expect(row(page, /^First round/).locator('mark')).toHaveText(['First']);
        await filter.fill('first nothing-like-it');
        await expect(page.getByText(/of those above it/)).toBeVisible();
        await page.getByRole('button', { name: 'Clear filter' }).last().click();

        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: /Search/ }).fill('first exp 2');
        const found = page
          .getByRole('listbox', { name: 'Search results' })
          .getByRole('group', { name: 'Nodes' })
          .getByRole('option');
        await expect(found).toHaveCount(1);
        await expect(found.locator('mark')).toHaveText(['Exp', '2', 'First']);
        await page.keyboard.press('Enter');
        await expect.poll(() => query(page).get('node')).toBe(REMOTE_IDS.running);
      });
      await test.step('a row says in words how its experiments stand', async () => {
        await expect(row(page, /^First round/)).toHaveAccessibleName(
          /1 of 4 runs succeeded, 1 active, 1 failed, 1 other/,
        );
      });
      await test.step('the button of a row covers none of its words, and moves nothing', async () => {
        for (const name of [/^Snapshot 1/, /^Experiment 3/]) {
          const words = () =>
            row(page, name)
              .locator('span:not(:has(*)):not(.sr-only)')
              .evaluateAll((parts) =>
                parts
                  .filter((part) => part.textContent !== '')
                  .map(
                    (part) =>
                      [
                        part.textContent,
                        part.getBoundingClientRect().left,
                        part.getBoundingClientRect().right,
                      ] as const,
                  ),
              );
          await page.mouse.move(0, 0);
          const before = await words();
          await row(page, name).hover();
          const button = await row(page, name).locator('[data-menu]').boundingBox();
          expect(await words()).toEqual(before);
          expect(Math.max(...before.map(([, , right]) => right))).toBeLessThanOrEqual(button?.x ?? 0);
        }
      });
      await test.step('the question mark lists the shortcuts while the tree has the focus', async () => {
        await row(page, /^Experiment 3/).click();
        await page.keyboard.press('?');
        const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
        await expect(sheet.getByText('Menu of the row')).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(row(page, /^Experiment 3/)).toBeFocused();
      });
    });
    await test.step('the menu of a row by keyboard: reasons, panes, comparison', async () => {
      await goTo(page, '?');
      await row(page, /^Experiment 3/).click();
      await page.keyboard.press('Shift+F10');
      const menu = page.getByRole('menu', { name: 'Actions for Experiment 3' });
      await expect(
        menu.getByRole('menuitem', { name: /Open in playground.*Only a run that succeeded/ }),
      ).toHaveAttribute('aria-disabled', 'true');
      await expectAccessible(menu);
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
      await expect(row(page, /^Experiment 3/)).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ContextMenu');
      const first = page.getByRole('menu', { name: 'Actions for Experiment 1' });
      await expect(first).toBeVisible();
      // Opening a menu selects nothing.
      await expect(row(page, /^Experiment 3/)).toHaveAttribute('aria-selected', 'true');
      await first.getByRole('menuitem', { name: 'Compare with base model' }).press('Enter');
      await expect.poll(() => query(page).get('models')).toBe(`${fineTunedModel(REMOTE_IDS.succeeded)},qwen3-0.6b`);
      await expect(page.getByRole('region', { name: 'Pane 2' })).toBeVisible();
      await row(page, /^First round/).click({ button: 'right' });
      const branch = page.getByRole('menu', { name: 'Actions for First round' });
      await branch.getByRole('menuitem', { name: 'Add 4 runs to compare' }).click();
      await expect.poll(() => query(page).get('tab')).toBe('compare');
      await expect.poll(() => query(page).get('compare')?.split(',')).toHaveLength(4);
      await row(page, /^Assist tickets/).hover();
      await row(page, /^Assist tickets/)
        .locator('[data-menu]')
        .click();
      await page.getByRole('menuitem', { name: 'Collapse' }).click();
      await expect(row(page, /^Assist tickets/)).toHaveAttribute('aria-expanded', 'false');
    });
  });
  await test.step('what changes is listed in words, and a selected node that goes is missed', async () => {
    await page.getByRole('button', { name: 'Expand all' }).click();
    await goTo(page, '?');
    await row(page, /^Experiment 3/).click();
    remote.setStatus(REMOTE_IDS.running, 'succeeded');
    const button = page.getByRole('button', { name: 'Activity, 1 new change' });
    await expect(button).toBeVisible();
    await button.press('Enter');
    const panel = page.getByRole('region', { name: 'Activity' });
    await expect(panel.getByRole('listitem')).toHaveText(
      /Experiment 2.*\d\d:\d\d:\d\d.*running to.*succeeded.*First round/,
    );
    await expect(page.getByRole('button', { name: 'Activity', exact: true })).toHaveAttribute('aria-expanded', 'true');
    await expectAccessible(panel);
    await panel.getByRole('button', { name: /Experiment 2/ }).press('Enter');
    await expect(row(page, /^Experiment 2/)).toHaveAttribute('aria-selected', 'true');
    remote.removeNode(REMOTE_IDS.running);
    await expect(panel.getByRole('listitem').first()).toHaveText(/Experiment 2.*was removed/);
    // The tree says it, and the workspace in the place of the node.
    await expect(page.getByText(/Experiment 2 was removed at \d\d:\d\d\./)).toHaveCount(2);
    await page.getByRole('button', { name: 'Go to First round' }).click();
    await expect(row(page, /^First round/)).toHaveAttribute('aria-selected', 'true');
    await panel.getByRole('button', { name: 'Close activity' }).press('Escape');
    await expect(panel).toBeHidden();
    await expect(page.getByRole('tree', { name: 'Project tree' }).locator(':focus')).toBeVisible();
  });
});

test('a part whose code does not arrive says so in its own place', async ({ gatewayPage: page, context }) => {
  await openHome(page);
  await expect(row(page, /^Experiment 3/)).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: /^Activity/ }).click();
  const lost = page.getByRole('alert').filter({ hasText: 'The activity could not be loaded.' });
  await expect(lost.getByRole('button', { name: 'Reload the page' })).toBeVisible();
  await expect(row(page, /^Experiment 3/)).toBeVisible();
  await expectAccessible(lost);
  await row(page, /^Experiment 3/).click({ button: 'right' });
  await expect(page.getByRole('log', { name: 'Messages' }).getByText(/^This can’t be opened/)).toBeVisible();
  // Another part, left alone while the service is away, is fetched again when it is next shown.
  await page.getByRole('tab', { name: 'Detail' }).click();
  await expect(page.getByText('The details could not be loaded.')).toBeVisible();
  await page.getByRole('tab', { name: 'Recommendations' }).click();
  await context.setOffline(false);
  await lost.getByRole('button', { name: 'Try again' }).click();
  await expect(lost).toBeHidden();
  // In a browser that caches the failure the page has reloaded, which closes the panel.
  await expect(async () => {
    const button = page.getByRole('button', { name: /^Activity/ });
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
    await expect(page.getByRole('region', { name: 'Activity' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  // Within a second of the failure it is not asked for again by itself.
  await expect(async () => {
    await page.getByRole('tab', { name: 'Recommendations' }).click();
    await page.getByRole('tab', { name: 'Detail' }).click();
    await expect(page.getByRole('tabpanel', { name: 'Detail' }).getByRole('region', { name: 'Summary' })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
});

test('words that name a node show all beneath it; a status that is typed leads to its chip', async ({
  studioPage: page,
}) => {
  await openHome(page);
  const filter = page.getByRole('searchbox', { name: 'Filter tree' });
  await filter.fill('snapshot 1');
  await expect(page.getByRole('treeitem', { name: /^Experiment 3/ })).toBeVisible();
  await filter.fill('failed');
  await page.getByRole('button', { name: 'Show what is failed' }).click();
  await expect(filter).toHaveValue('');
  await expect(page.getByRole('button', { name: /^failed/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('treeitem', { name: /^Experiment/ })).toHaveCount(1);
});
