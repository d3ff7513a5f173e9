// The tree and the command palette in a browser: places, the focus, code that comes late or never. What they do is in
// parts/treeView.test.ts.
import type { Locator, Page } from '@playwright/test';
import { expect, goTo, openHome, test } from './fixtures.ts';
import { REMOTE_IDS } from './remoteStudio.ts';
import { choose, expectAccessible, reload } from './steps.ts';

const row = (page: Page, name: RegExp): Locator => page.getByRole('treeitem', { name });

test('what opens over and beside the tree is accessible and takes the focus; the button of a row moves nothing', async ({
  gatewayPage: page,
  gateway: { remote, studio },
}) => {
  await page.goto(`${studio.origin}/?project=00000000-0000-4000-8000-000000009999`);
  await expect(page.getByText('This studio has no such project')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'Remote desk' }).click();
  await row(page, /^Snapshot 1/).click();
  await test.step('the command palette takes what is typed before its code is there', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('snap');
    const field = page.getByRole('combobox', { name: 'Search nodes, models and actions' });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('snap');
    await field.fill('');
    await expectAccessible(page.getByRole('dialog'));
    await field.fill('experiment 4');
    await expect(page.getByRole('option', { name: /Experiment 4.*Assist tickets › Snapshot 1/ })).toBeVisible();
    await expectAccessible(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await expect(field).toBeHidden();
    await expect(row(page, /^Snapshot 1/)).toBeFocused();
    // Confirmed and opened again at once: what counts is what was typed, and it stays open.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('collapse all');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('experiment 3');
    await expect(row(page, /^Assist tickets/)).toHaveAttribute('aria-expanded', 'false');
    await expect(field).toHaveValue('experiment 3');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Experiment 3' })).toBeFocused();
  });
  await test.step('the button of a row covers none of its words, and moves nothing', async () => {
    for (const name of [/^Snapshot 1/, /^Experiment 3/]) {
      const words = () =>
        row(page, name)
          .locator('span:not(:has(*)):not(.sr-only)')
          .evaluateAll((parts) =>
            parts.flatMap((part) => {
              const { left, right } = part.getBoundingClientRect();
              return part.textContent === '' ? [] : [{ text: part.textContent, left, right }];
            }),
          );
      await page.mouse.move(0, 0);
      await expect(row(page, name)).toBeVisible();
      const before = await words();
      expect(before.length).toBeGreaterThan(0);
      await row(page, name).hover();
      const button = await row(page, name).locator('[data-menu]').boundingBox();
      expect(await words()).toEqual(before);
      expect(Math.max(...before.map(({ right }) => right))).toBeLessThanOrEqual(button?.x ?? 0);
    }
  });
  await test.step('the menu of a row, by a mouse and by a key', async () => {
    await row(page, /^Snapshot 1/).hover();
    await row(page, /^Snapshot 1/)
      .locator('[data-menu]')
      .click();
    await expect(page.getByRole('menu', { name: 'Actions for Snapshot 1' })).toBeVisible();
    await page.keyboard.press('Escape');
    await row(page, /^Experiment 3/).click();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu', { name: 'Actions for Experiment 3' });
    await expect(menu).toBeVisible();
    await expectAccessible(menu);
    await page.keyboard.press('Escape');
    await expect(row(page, /^Experiment 3/)).toBeFocused();
  });
  await test.step('a filtered tree, and one without a hit', async () => {
    const tree = page.getByRole('region', { name: 'Tree', exact: true });
    const chips = page.getByRole('group', { name: 'Filter by status' });
    await chips.getByRole('button', { name: /^failed/ }).click();
    await chips.getByRole('button', { name: /^running/ }).click();
    await page.getByRole('searchbox', { name: 'Filter tree' }).fill('experiment 00042');
    await expect(page.getByText('1 hit', { exact: true })).toBeVisible();
    await expectAccessible(tree);
    await reload(page);
    await expect(page.getByText('1 hit', { exact: true })).toBeVisible();
    await chips.getByRole('button', { name: /^failed/ }).click();
    await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
    await expectAccessible(tree);
    await page.getByRole('button', { name: 'Clear filter' }).last().click();
  });
  await test.step('what changes', async () => {
    remote.setStatus(REMOTE_IDS.running, 'succeeded');
    await page.getByRole('button', { name: 'Activity, 1 new change' }).press('Enter');
    const panel = page.getByRole('region', { name: 'Activity' });
    await expect(panel.getByRole('listitem')).toBeVisible();
    await expectAccessible(panel);
    await panel.getByRole('button', { name: 'Close activity' }).press('Escape');
    await expect(page.getByRole('tree', { name: 'Project tree' }).locator(':focus')).toBeVisible();
  });
  await test.step('the question about the multiplier of a remote studio', async () => {
    await goTo(page, `?project=${REMOTE_IDS.project}&node=${REMOTE_IDS.snapshot}&tab=recommendations`);
    const recommendations = page.getByRole('region', { name: 'Recommendations' });
    const button = recommendations.getByRole('button', { name: 'Download all as' });
    await expect(button).toBeVisible({ timeout: 40_000 });
    await choose(button, 'Axolotl (YAML)');
    const dialog = page.getByRole('dialog', { name: 'What does the learning rate multiplier mean here?' });
    await expect(dialog).toBeVisible();
    await expectAccessible(dialog);
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
