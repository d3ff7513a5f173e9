// axe over the screens, in both themes; the page works without a mouse.
import type { Locator, Page } from '@playwright/test';
import { go, grid, readIds } from './comparePage.ts';
import { expectPlotRead, goToTable, openTable, table } from './experimentsPage.ts';
import { expect, openHome, test } from './fixtures.ts';
import { expectAccessible, expectAccessibleInBothThemes, keepShort, openBesideBase, say, toPane } from './steps.ts';

const workspace = (page: Page): Locator => page.getByRole('region', { name: 'Workspace', exact: true });

test('both themes: tree, recommendation, detail, runs, plots, compare, answers, a menu, a list; keys', async ({
  studioPage: page,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await openHome(page);
  await test.step('keys go on from the name of what was opened, also on the way back', async () => {
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
  await page.getByRole('button', { name: 'Expand all' }).click();
  await test.step('tree and recommendation, in the whole page', async () => {
    await page
      .getByRole('treeitem', { name: /Snapshot/ })
      .first()
      .click();
    await expect(
      page.getByRole('region', { name: 'Recommendations' }).getByText('done', { exact: true }).first(),
    ).toBeVisible({ timeout: 15_000 });
    await expectAccessibleInBothThemes(page);
  });
  await test.step('detail', async () => {
    await page.getByRole('tab', { name: /Detail/ }).click();
    await expect(page.getByRole('tabpanel', { name: /Detail/ }).getByText('Loading…')).toHaveCount(0);
    await expectAccessibleInBothThemes(workspace(page));
  });
  await test.step('the table of runs, its groups and its columns', async () => {
    await openTable(page, '&group=status');
    // Hyperparameters arrive a moment later and change the columns: a press meant for a row must not meet them.
    await expect(table(page).getByRole('columnheader', { name: /Training loss/ })).toBeVisible();
    await table(page).getByRole('checkbox').nth(1).check();
    await expectAccessibleInBothThemes(workspace(page));
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible();
    await expectAccessibleInBothThemes(page.getByRole('dialog', { name: 'Columns' }));
    await page.keyboard.press('Escape');
  });
  await test.step('coloured plots, and both ends of a narrow selection on both axes', async () => {
    const figure = page.getByRole('figure', { name: /Runs as/ });
    const legend = figure.getByRole('list', { name: /^Colours by/ });
    await goToTable(page, '&color=last_loss&plot=parallel');
    await expectPlotRead(page);
    await expect(legend).toBeVisible();
    await expectAccessibleInBothThemes(figure);
    await goToTable(page, '&color=status&plot=scatter');
    await expectPlotRead(page);
    await expect(legend).toBeVisible();
    for (const end of await figure.getByRole('slider', { name: /, lowest$/ }).all()) {
      await end.press('End');
      await expect(end).not.toHaveAttribute('aria-valuetext', 'no limit');
    }
    await expectAccessible(figure);
  });
  await test.step('compare, with a plot, a column that is gone and a failed run', async () => {
    const experiments = await readIds(page, 'experiment');
    const [snapshot = ''] = await readIds(page, 'snapshot');
    await go(
      page,
      `node=${snapshot}&tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')},x:gone&plot=parallel`,
    );
    await expect(grid(page)).toBeVisible();
    await expect(page.getByRole('figure', { name: 'Compared candidates' })).toBeVisible();
    await expectAccessibleInBothThemes(workspace(page));
  });
  await test.step('two answers, a menu and a list of models', async () => {
    await openBesideBase(page);
    await expect(toPane(page, 2)).toBeVisible();
    await keepShort(toPane(page, 1));
    await say(page, 'Where is order ORD-12345?', [toPane(page, 1), toPane(page, 2)]);
    await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Playground', exact: true }));
    await page.keyboard.press('Alt+Shift+Digit1');
    await page.getByRole('tab', { name: /^Runs/ }).click();
    await page.getByRole('button', { name: 'Copy all as' }).click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await expectAccessible(page.getByRole('menu'));
    await page.keyboard.press('Escape');
    await toPane(page, 1).getByRole('combobox', { name: 'Model' }).click();
    const models = page.getByRole('listbox', { name: 'Model', exact: true });
    await expect(models.getByRole('option').first()).toBeVisible();
    await expectAccessible(models);
  });
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
    // Colours are those of the wide page; what is around the three is the same.
    await expectAccessible(tab === 'Workspace' ? page : page.getByRole('tabpanel', { name: tab }));
  }
});
