// The compare view: a link restores it whole; only what differs is shown; values are copied whole; 200 stand side by side.
import type { Locator, Page } from '@playwright/test';
import { expect, test, watchPage } from './fixtures';
import { openRemoteStudio, REMOTE_IDS } from './remoteStudio';
import { expectAccessible } from './steps';
import { remoteId } from './remoteTree';
import { startStudio } from './startStudio';

interface Node {
  readonly id: string;
  readonly type: string;
  readonly children?: readonly Node[] | null;
}

function idsOf(node: Node, type: string): string[] {
  const beneath = (node.children ?? []).flatMap((child) => idsOf(child, type));
  return node.type === type ? [node.id, ...beneath] : beneath;
}

/** Ids of the nodes of a type in the project that the page shows, in tree order. */
async function readIds(page: Page, type: string): Promise<string[]> {
  await expect(page).toHaveURL(/[?&]project=/);
  const { origin, searchParams } = new URL(page.url());
  const answer = await page.request.get(`${origin}/api/v1/public/projects/${searchParams.get('project')}`);
  const body = (await answer.json()) as { project: Node };
  return idsOf(body.project, type);
}

const grid = (page: Page): Locator => page.getByRole('region', { name: 'Compare' }).getByRole('grid');
const rowNames = (page: Page): Promise<string[]> => grid(page).getByRole('rowheader').allInnerTexts();
const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const go = (page: Page, search: string): Promise<unknown> => page.goto(`${new URL(page.url()).origin}/?${search}`);

/** What arrives on the clipboard when the page copies. */
async function copied(page: Page, act: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await act();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('from nothing to the recommended ones, and a link restores set, baseline and switches', async ({ studioPage: page }) => {
  await page.getByRole('tab', { name: 'Compare' }).click();
  await expect(page.getByText('Nothing is compared yet')).toBeVisible();
  await page.getByRole('button', { name: /Compare the recommended \d/ }).click();
  await expect(grid(page).getByText('baseline', { exact: true })).toBeVisible();
  const count = Number(await grid(page).getAttribute('aria-colcount')) - 1;
  expect(count).toBeGreaterThan(1);

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
  expect(Number(await grid(page).getAttribute('aria-colcount'))).toBe(count + 1);

  await page.getByRole('tab', { name: 'Recommendations' }).click();
  const lists = page.getByRole('region', { name: 'Recommendations' });
  await expect(lists.getByRole('checkbox', { checked: true })).toHaveCount(count);
  await lists.getByRole('checkbox', { checked: true }).first().click();
  await expect(lists.getByText(`${count - 1} compared`)).toBeVisible();
});

test('what was trained beside what is recommended: only differences, one that is gone, sorting, copying', async ({ studioPage: page }) => {
  const experiments = await readIds(page, 'experiment');
  const [snapshot = ''] = await readIds(page, 'snapshot');
  const [first = '', second = ''] = experiments;
  await go(page, `node=${snapshot}&tab=compare&compare=x:${first},x:${second},x:gone,r:${snapshot}:m:support-base:lora&baseline=x:${second}&plot=none`);
  await expect(grid(page).getByRole('columnheader', { name: /succeeded/ })).toHaveCount(2);
  await expect(grid(page).getByText('This experiment is not in this project')).toBeVisible();

  // Three candidates and more show only what differs; the rest is named with the value that all share.
  await expect.poll(() => rowNames(page)).toContain('training_type');
  await expect.poll(() => rowNames(page)).not.toContain('base_model_id');
  await expect(page.getByText(/equal rows? hidden:.*base_model_id support-base/)).toBeVisible();
  await page.getByRole('button', { name: 'show all rows' }).click();
  await expect.poll(() => rowNames(page)).toContain('base_model_id');

  // A rate is measured by its ratio, a missing value is said.
  const rate = grid(page).getByRole('row', { name: /learning_rate_multiplier/ });
  await expect(rate.getByText(/^×/).first()).toBeVisible();
  await expect(grid(page).getByRole('row', { name: /last_loss/ }).getByText('not trained')).toBeVisible();

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
  await expect(page.getByText('Copied learning_rate_multiplier.')).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(next);

  await page.getByRole('button', { name: /Take column 3 out of the compare/ }).click();
  await expect(grid(page).getByText('This experiment is not in this project')).toBeHidden();
  await expect.poll(() => query(page).get('compare')).not.toContain('gone');
});

test('a link restores the order of the columns; keys reach the names of the rows and change it', async ({ studioPage: page }) => {
  const experiments = await readIds(page, 'experiment');
  const refs = experiments.map((id) => `x:${id}`).join(',');
  await go(page, `tab=compare&compare=${refs}&plot=none&diff=0&order=-learning_rate_multiplier`);
  const rate = grid(page).getByRole('row', { name: /learning_rate_multiplier/ });
  const header = rate.getByRole('rowheader');
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  const order = async (): Promise<number[]> => (await rate.getByRole('gridcell').locator('[title]').evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('title'))))).slice(1);
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
  await expect(grid(page).getByRole('row', { name: /batch_size/ }).getByRole('rowheader').getByRole('button')).toBeFocused();

  // Also where the row itself is hidden there is a way back.
  await page.getByRole('button', { name: 'Columns by learning_rate_multiplier: put them back as chosen' }).click();
  await expect(header).toHaveAttribute('aria-sort', 'none');
});

test('a selection without axes to see it on: named, cleared, followed by loss curves and by what is copied', async ({ studioPage: page }) => {
  const experiments = await readIds(page, 'experiment');
  await go(page, `tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&brush=training_type%3DLoRA&plot=loss&diff=0`);
  const panel = page.getByRole('region', { name: 'Compare' });
  const outside = grid(page).getByText('outside the selection');
  await expect(outside.first()).toBeVisible();
  const curves = panel.getByRole('figure', { name: 'Losses of the compared experiments' });
  const names = curves.locator('tbody').getByRole('rowheader', { includeHidden: true });
  await expect(panel.getByText(/^\d experiments with losses are inside the selection; \d outside it are left out\.$/)).toBeVisible();
  for (const name of await names.allTextContents()) expect(name).toContain('LoRA');
  const inside = await names.count();
  expect(inside).toBeLessThan(experiments.length);

  await panel.getByRole('button', { name: `Copy the ${inside} selected as` }).click();
  const text = await copied(page, () => page.getByRole('menuitem', { name: 'JSON', exact: true }).click());
  const { candidates } = JSON.parse(text) as { candidates: { training_type: string }[] };
  expect(candidates.map(({ training_type }) => training_type)).toEqual(Array.from({ length: inside }, () => 'lora'));

  for (const plot of ['none', 'loss']) {
    await page.getByRole('combobox', { name: 'Plot' }).selectOption(plot);
    await expect(panel.getByRole('list', { name: 'Filters' })).toHaveText('training_type: LoRA');
  }
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Remove filter training_type' }).click();
  await expect.poll(() => query(page).get('brush')).toBeNull();
  await expect(outside).toHaveCount(0);
  await expect(panel.getByRole('button', { name: 'Copy all as' })).toBeVisible();
  await expect.poll(() => names.count()).toBeGreaterThan(inside);
});

test('losses on other rows have no distance from the baseline’s, parameters have', async ({ studioPage: page }) => {
  const experiments = await readIds(page, 'experiment');
  const [first = ''] = experiments;
  await go(page, `tab=compare&compare=x:${first},x:${experiments.at(-1)}&plot=none&diff=0`);
  const other = (name: RegExp): Locator => grid(page).getByRole('row', { name }).getByRole('gridcell').nth(1);
  for (const name of [/last_loss/, /first_loss/]) await expect(other(name)).toHaveText(/^≈?[\d.e-]+other data$/);
  await expect(other(/held-out exact_match/)).toContainText('other data');
  await expect(other(/n_epochs/)).toHaveText(/^\d+[+−]\d+$/);
});

test('a link that is mostly wrong says why there is no plot, and what can’t colour', async ({ studioPage: page }) => {
  const [first = '', second = ''] = await readIds(page, 'experiment');
  await go(page, `tab=compare&compare=x:${first},x:gone,nonsense&color=hasOwnProperty`);
  const panel = page.getByRole('region', { name: 'Compare' });
  await expect(panel.getByText('No plot: one candidate to compare; 2 of 3 compared could not be found. A plot needs two or more.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Plot' }).selectOption('loss');
  await expect(panel.getByRole('figure', { name: 'Losses of the compared experiments' })).toBeVisible();

  await go(page, `tab=compare&compare=x:${first},x:${second}&color=hasOwnProperty`);
  const colors = panel.getByRole('combobox', { name: 'Colour by' });
  await expect(colors.locator('option:checked')).toHaveText('hasOwnProperty (not here)');
  await colors.selectOption('');
  await expect.poll(() => query(page).get('color')).toBeNull();
  await expect(colors.getByRole('option', { name: 'hasOwnProperty' })).toHaveCount(0);
});

test('candidates and runs of one name are told apart in heads and choices', async ({ studioPage: page }) => {
  const experiments = await readIds(page, 'experiment');
  await go(page, `tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&plot=none`);
  const baseline = page.getByRole('combobox', { name: 'Baseline' });
  await expect(baseline.getByRole('option')).toHaveCount(experiments.length);
  const names = await baseline.getByRole('option').allInnerTexts();
  expect(new Set(names).size).toBe(names.length);
  expect(names.join()).not.toMatch(/column \d/);
});

test('Clear in the recommendations takes out what is of that list, and can be undone', async ({ studioPage: page }) => {
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
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => query(page).get('compare')).toBe(all);
});

test('fifty figures of the service’s own are folded away until they are asked for', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?project=${REMOTE_IDS.project}&tab=compare&compare=x:${REMOTE_IDS.succeeded},x:${remoteId(44)}&plot=none&diff=0`);
  await expect(grid(page).getByRole('rowheader', { name: /figures\.f7/ })).toBeVisible();
  await expect(grid(page).getByRole('rowheader', { name: /figures\.f9/ })).toHaveCount(0);
  const more = grid(page).getByRole('button', { name: /^More figures, \d+$/ });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await more.press('Enter');
  await expect(grid(page).getByRole('rowheader', { name: /figures\.f49/ })).toBeAttached();
  await expect(more).toBeFocused();
  await expectAccessible(page);

  // A row that orders the columns stays under the keys, while it is unfolded and when it is folded again.
  const late = grid(page).getByRole('rowheader', { name: /figures\.f49/ });
  for (const order of ['ascending', 'descending', 'none', 'ascending']) {
    await late.getByRole('button').press('Enter');
    await expect(late).toHaveAttribute('aria-sort', order);
    await expect(late.getByRole('button')).toBeFocused();
  }
  await more.press('Enter');
  await expect(grid(page).getByRole('rowheader', { name: /figures\.f48/ })).toHaveCount(0);
  for (const order of ['descending', 'none']) {
    await late.getByRole('button').press('Enter');
    await expect(late).toHaveAttribute('aria-sort', order);
    await expect(late.getByRole('button')).toBeFocused();
  }
  await more.press('Enter');
  await more.press('Enter');
  await expect(late).toHaveCount(0);
});

test('on paper: all axes of a plot, also those that are folded away on the screen', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?project=${REMOTE_IDS.project}&tab=compare&compare=x:${REMOTE_IDS.succeeded},x:${remoteId(44)}&diff=0`);
  const figure = page.getByRole('figure', { name: 'Compared candidates' });
  const last = figure.getByTitle('figures.f49', { exact: true });
  await expect(figure.getByRole('button', { name: /^More axes, \d+$/ })).toBeVisible();
  await expect(last).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(last).not.toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  await expect(last).toHaveCount(0);
});

test('on paper: the workspace alone, every column, and where it came from', async ({ studioPage: page }) => {
  const experiments = await readIds(page, 'experiment');
  await go(page, `tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&plot=none&diff=0`);
  await expect(grid(page)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('tree')).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Compare' })).toBeHidden();
  // Four across a page, the baseline again on each.
  const heads = page.getByRole('region', { name: 'Compare' }).getByRole('columnheader', { name: /run of/ });
  await expect(heads).toHaveCount(experiments.length + Math.ceil((experiments.length - 1) / 3) - 1);
  // The lines of a plot have their colours' names there: paper has nothing to point at.
  await expect(heads.first().locator('span.bg-s1')).toBeVisible();
  await expect(heads.nth(1).locator('span.bg-s2')).toBeVisible();
  await expect(page.getByText(/tab=compare.* · printed/)).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expect(grid(page)).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`${colorScheme}: axe finds nothing, with a plot, a column that is gone and a failed run`, async ({ studioPage: page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const experiments = await readIds(page, 'experiment');
    const [snapshot = ''] = await readIds(page, 'snapshot');
    await go(page, `node=${snapshot}&tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')},x:gone`);
    await expect(grid(page)).toBeVisible();
    await expect(page.getByRole('figure', { name: 'Compared candidates' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Recommendations' }).click();
    await expect(page.getByRole('figure', { name: /Candidates/ })).toBeVisible();
    await expectAccessible(page);
  });
}

test('200 candidates: few are drawn, the last one is a scroll away', async ({ page }) => {
  const remote = await openRemoteStudio({ token: 'remote-secret', nodes: 400 });
  const studio = await startStudio({ args: ['--base-url', remote.url], env: { STUDIO_API_KEY: 'remote-secret' } });
  try {
    const watch = watchPage(page, studio.origin);
    await page.goto(studio.link);
    await page.goto(`${studio.origin}/?project=${REMOTE_IDS.largeProject}`);
    await expect(page.getByRole('tab', { name: /Experiments/ })).toBeVisible();
    const experiments = (await readIds(page, 'experiment')).slice(0, 200);
    expect(experiments).toHaveLength(200);
    await go(page, `project=${REMOTE_IDS.largeProject}&tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&plot=none&diff=0`);
    await expect(grid(page)).toHaveAttribute('aria-colcount', '201');
    await expect(grid(page).getByRole('row', { name: /base_model_id/ }).getByRole('gridcell').first()).toContainText('qwen3-0.6b');
    expect(await grid(page).getByRole('columnheader').count()).toBeLessThan(30);
    await grid(page).getByRole('gridcell').first().click();
    await page.keyboard.press('End');
    await expect(page.locator('[data-cell="0:199"]')).toBeFocused();
    await expect(page.locator('[data-cell="0:199"]')).toBeInViewport();
    expect(await grid(page).getByRole('columnheader').count()).toBeLessThan(30);
    await page.keyboard.press('Home');
    await expect(page.locator('[data-cell="0:0"]')).toBeFocused();
    expect(watch.faults).toEqual([]);
  } finally {
    await studio.stop();
    await remote.close();
  }
});
