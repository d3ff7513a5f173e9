// axe over the screens, in both themes; the page works without a mouse.
import { expect, openHome, test } from './fixtures.ts';
import { expectAccessible, expectAccessibleInBothThemes, keepShort, say, toPane } from './steps.ts';

test('both themes: tree, recommendation, experiments and detail', async ({ studioPage: page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await openHome(page);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page
    .getByRole('treeitem', { name: /Snapshot/ })
    .first()
    .click();
  await expect(
    page.getByRole('region', { name: 'Recommendations' }).getByText('completed', { exact: true }).first(),
  ).toBeVisible({ timeout: 15_000 });
  await expectAccessibleInBothThemes(page);
  for (const tab of ['Runs', 'Detail']) {
    await page.getByRole('tab', { name: new RegExp(tab) }).click();
    await expect(page.getByRole('tabpanel', { name: new RegExp(tab) }).getByText('Loading…')).toHaveCount(0);
    await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Workspace', exact: true }));
  }
});

test('both themes: a menu, a list of models and two answers', async ({ studioPage: page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await openHome(page);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page
    .getByRole('treeitem', { name: /Experiment 2.*full/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Compare with base model' }).first().click();
  await expect(toPane(page, 2)).toBeVisible();
  await keepShort(toPane(page, 1));
  await say(page, 'Where is order ORD-12345?', [toPane(page, 1), toPane(page, 2)]);
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Alt+Shift+Digit1');
  await page.getByRole('tab', { name: /^Runs/ }).click();
  await page.getByRole('button', { name: 'Copy all as' }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessibleInBothThemes(page.getByRole('menu'));
  await page.keyboard.press('Escape');
  await toPane(page, 1).getByRole('combobox', { name: 'Model' }).click();
  await expect(page.getByRole('listbox', { name: 'Model', exact: true }).getByRole('option').first()).toBeVisible();
  await expectAccessibleInBothThemes(page.getByRole('listbox', { name: 'Model', exact: true }));
});

test('both themes: sign-in page, and 800 px', async ({ page, studio }) => {
  // This page takes the theme that it is loaded with.
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`${studio.origin}/`);
    await expect(page.getByLabel(/token/i).first()).toBeVisible();
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 800, height: 900 });
  await page.goto(studio.link);
  const parts = {
    Tree: page.getByRole('treeitem').first(),
    Workspace: page.getByRole('tablist', { name: 'Views of the selected node' }),
    Playground: toPane(page, 1),
  };
  for (const [tab, part] of Object.entries(parts)) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(part).toBeVisible();
    // Colours are those of the wide page.
    await expectAccessible(page);
  }
});

test('keys go on from the name of what was opened, also on the way back', async ({ studioPage: page }) => {
  await openHome(page);
  // A page that was just opened gives the focus to nothing.
  await expect(page.getByRole('region', { name: 'Pane 1' })).toBeVisible();
  await expect(page.locator('body')).toBeFocused();
  await page.getByRole('tab', { name: /^Runs/ }).click();
  // The plot above has rows of these names too, as soon as it is drawn.
  await page
    .getByRole('grid', { name: 'Runs' })
    .getByRole('row', { name: /Experiment 2/ })
    .first()
    .press('Enter');
  const name = page.getByRole('heading', { level: 2, name: /^Experiment 2/ });
  await expect(name).toBeFocused();
  await page
    .getByRole('tabpanel', { name: 'Detail' })
    .getByText('All fields, as the service sent them')
    .focus({ timeout: 10_000 });
  await page.goBack();
  await expect(page.getByRole('heading', { level: 2, name: 'Support desk' })).toBeFocused();
});
