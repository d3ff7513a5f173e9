// The tree at 100,000 nodes: what it shows, how keys move in it, and what a poll leaves in place. It takes longest:
// files run in the order of their names, and with this one first no worker is left with it at the end.
import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test, watchPage } from './fixtures.ts';
import { REMOTE_IDS } from './remoteStudio.ts';
import { remoteId } from './remoteTree.ts';
import { expectAccessible } from './steps.ts';

interface Node {
  id: string;
  type: string;
  label: string;
  status?: string;
  children?: Node[];
}

const rowOf = (page: Page, name: RegExp): Locator => page.getByRole('treeitem', { name });
const focused = (page: Page): Locator => page.locator('[role="treeitem"]:focus');

/** Level, place among siblings and number of siblings, as they are said aloud. */
async function expectPlace(row: Locator, level: number, position: number, siblings: number): Promise<void> {
  await expect(row).toHaveAttribute('aria-level', String(level));
  await expect(row).toHaveAttribute('aria-posinset', String(position));
  await expect(row).toHaveAttribute('aria-setsize', String(siblings));
}

/** Rows stand edge to edge over the whole height of the list, and no more of them than it takes. */
async function expectFilled(page: Page): Promise<void> {
  await expect.poll(() => findHoles(page)).toBe('none');
  expect(await page.getByRole('treeitem').count()).toBeLessThan(70);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_500);
}

const findHoles = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const tree = document.querySelector('[role="tree"]');
    let box: Element | null = tree;
    while (box && getComputedStyle(box).overflowY !== 'auto') box = box.parentElement;
    if (!tree || !box) return 'no list';
    const { top, bottom, left } = box.getBoundingClientRect();
    const missing: number[] = [];
    for (let y = top + 4; y < Math.min(bottom, tree.getBoundingClientRect().bottom - 8); y += 15) {
      if (!document.elementFromPoint(left + 20, y)?.closest('[role="treeitem"]')) missing.push(y);
    }
    return missing.length === 0 ? 'none' : `no row at ${missing.join(', ')}`;
  });

/**
 * Types the beginning of a label, from the root. A machine that pauses between two keys makes them two words: then
 * anew.
 */
async function typeTo(page: Page, text: string, name: RegExp): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Home');
    await page.keyboard.type(text);
    await expect(focused(page)).toHaveAccessibleName(name, { timeout: 1_000 });
  }).toPass();
}

/** The uppermost row that can be seen, and where it stands. */
async function topRow(page: Page): Promise<{ readonly id: string; readonly y: number }> {
  return page.evaluate(() => {
    let box = document.querySelector('[role="tree"]');
    while (box && getComputedStyle(box).overflowY !== 'auto') box = box.parentElement;
    const { top = 0, left = 0 } = box?.getBoundingClientRect() ?? {};
    const row = document.elementFromPoint(left + 20, top + 2)?.closest<HTMLElement>('[role="treeitem"]');
    return { id: row?.textContent ?? '', y: row?.getBoundingClientRect().y ?? Number.NaN };
  });
}

async function scrollTo(page: Page, share: number): Promise<void> {
  await page.evaluate(async (part) => {
    let box = document.querySelector('[role="tree"]');
    while (box && getComputedStyle(box).overflowY !== 'auto') box = box.parentElement;
    if (box) box.scrollTop = Math.round((box.scrollHeight - box.clientHeight) * part) + 11;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, share);
}

test('100,000 nodes: the filter; all closed and all open; keys; polls that change the tree', async ({
  page,
  largeGateway: { remote, studio },
}) => {
  const watch = watchPage(page, studio.origin);
  await signIn(page, studio);
  await page.goto(`${studio.origin}/?project=${REMOTE_IDS.largeProject}`);
  await expect(rowOf(page, /^Large project/)).toBeVisible({ timeout: 30_000 });
  const filter = page.getByRole('searchbox', { name: 'Filter tree' });
  const id = remoteId(1_000 + 77_777);
  await test.step('from the filter, keys lead to the first hit: arrow down goes there, Enter also selects it', async () => {
    const selected = new URL(page.url()).searchParams.get('node');
    // Confirmed at once, before the search is done.
    await filter.fill(id);
    await filter.press('ArrowDown');
    await expect(focused(page).locator('mark').first()).toHaveText(id);
    await expect(focused(page)).toBeInViewport();
    await expect(focused(page)).toHaveAttribute('aria-selected', 'false');
    expect(new URL(page.url()).searchParams.get('node')).toBe(selected);
    // More hits than are opened: the branches above the first one open.
    await filter.fill('experiment');
    await filter.press('Enter');
    await expect(focused(page)).toHaveAccessibleName(/^Experiment 1\b/);
    await expect(focused(page)).toBeInViewport();
    await expect(focused(page)).toHaveAttribute('aria-selected', 'true');
    await filter.fill('nothing like it');
    await filter.press('Enter');
    await expect(page.getByText('Nothing found')).toBeVisible();
    await expect(filter).toBeFocused();
    await filter.press('Escape');
    await expect(filter).toHaveValue('');
    await expect(filter).toBeFocused();
  });
  await test.step('a filter finds one in 100,000 with its ancestors, and gives the tree back', async () => {
    await filter.fill(id);
    await expect(page.getByText('1 hit', { exact: true })).toBeVisible();
    await expect(page.getByRole('treeitem')).toHaveCount(5);
    await expect(page.getByRole('treeitem').nth(4).locator('mark').first()).toHaveText(id);
    await filter.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`node=${id}`));
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    // What was selected is still on show, in the whole tree.
    await expect.poll(() => page.getByRole('treeitem').count()).toBeGreaterThan(5);
    await expect(page.locator('[role="treeitem"][aria-selected="true"]')).toBeInViewport();
    await expectFilled(page);
  });
  await test.step('axe finds nothing with all branches open', async () => {
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await page.getByRole('button', { name: 'Expand all' }).click();
    await expectFilled(page);
    await expectAccessible(page.getByRole('region', { name: 'Tree', exact: true }));
  });
  await test.step('all rows are open, few are drawn, and keys reach each of them', async () => {
    await scrollTo(page, 0);
    await rowOf(page, /^Large project/).focus();
    await expectFilled(page);

    await page.keyboard.press('End');
    await expect(focused(page)).toHaveAccessibleName(/^Experiment/);
    await expect(focused(page)).toHaveAttribute('aria-level', '5');
    await expect(focused(page)).not.toHaveAttribute('aria-expanded');
    await expectFilled(page);
    await page.keyboard.press('ArrowLeft');
    await expect(focused(page)).toHaveAccessibleName(/^Job/);
    await expect(focused(page)).toHaveAttribute('aria-expanded', 'true');

    await page.keyboard.press('Home');
    await expect(focused(page)).toHaveAccessibleName(/^Large project/);
    await expectPlace(focused(page), 1, 1, 1);
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await expect(focused(page)).toBeInViewport();
    await expectFilled(page);

    await typeTo(page, 'dataset 42', /^Dataset 42\b/);
    await expectPlace(focused(page), 2, 42, 91);
    await page.keyboard.press('ArrowLeft');
    await expect(focused(page)).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('ArrowDown');
    await expect(focused(page)).toHaveAccessibleName(/^Dataset 43\b/);
    await page.keyboard.press('ArrowRight');
    await expect(focused(page)).toHaveAccessibleName(/^Snapshot 1\b/);
    await expectPlace(focused(page), 3, 1, 10);
    await expectFilled(page);

    // Away from the active row and back: the keyboard goes on from where it was.
    await scrollTo(page, 0.9);
    await expectFilled(page);
    await expect(page.getByRole('tree', { name: 'Project tree' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(focused(page)).toHaveAccessibleName(/^Job 1\b/);
    await expect(focused(page)).toBeInViewport();
  });
  await test.step('a poll that adds, removes and moves nodes moves nothing on the screen', async () => {
    await typeTo(page, 'dataset 42', /^Dataset 42\b/);
    await page.keyboard.press('Enter');
    // Closed by keys before.
    const closed = rowOf(page, /^Dataset 42\b/);
    await expect(closed).toHaveAttribute('aria-expanded', 'false');
    await scrollTo(page, 0.6);
    const before = await topRow(page);
    expect(before.id).not.toBe('');

    remote.editLarge((project) => {
      const datasets = project['children'] as Node[];
      datasets.unshift({
        id: remoteId(900_001),
        type: 'dataset',
        label: 'Arrived',
        status: 'completed',
        children: [{ id: remoteId(900_002), type: 'snapshot', label: 'Arrived too' }],
      });
      datasets.splice(10, 2);
      datasets.splice(20, 0, ...datasets.splice(70, 3));
    });
    await expect(page.getByText(/^88 datasets|^89 datasets|^90 datasets/)).toBeVisible();
    expect(await topRow(page)).toEqual(before);
    await expectFilled(page);

    await page.keyboard.press('Home');
    await expect(rowOf(page, /^Arrived done/)).toHaveAttribute('aria-expanded', 'true');
    await typeTo(page, 'dataset 42', /^Dataset 42\b/);
    await expect(closed).toHaveAttribute('aria-expanded', 'false');
    await expect(closed).toHaveAttribute('aria-selected', 'true');
    await expectFilled(page);
  });
  await test.step('50,000 children of one parent, 20 levels, ids that come again, unknown types and statuses', async () => {
    await page.keyboard.press('Home');
    remote.editLarge((project) => {
      const wide = Array.from({ length: 50_000 }, (_, n): Node => ({
        id: remoteId(2_000_000 + n),
        type: 'experiment',
        label: `Wide ${n + 1}`,
        status: n % 2 === 0 ? 'succeeded' : 'simmering',
      }));
      let deep: Node = { id: 'deep', type: 'pebble', label: 'Bottom' };
      for (let level = 19; level > 2; level -= 1)
        deep = { id: `deep ${level}`, type: 'folder', label: `Level ${level}`, children: [deep] };
      const twins = ['twin', 'twin', 'twin'].map((id, n): Node => ({
        id,
        type: 'dataset',
        label: `Twin ${n + 1}`,
        children: [{ id: 'twin', type: 'snapshot', label: `Inner ${n + 1}` }],
      }));
      project['children'] = [
        { id: 'wide', type: 'dataset', label: 'Wide', status: 'completed', children: wide },
        deep,
        ...twins,
      ];
    });
    const wide = rowOf(page, /^Wide 25,000 of/);
    await expect(wide).toBeVisible();
    await page.getByRole('button', { name: 'Expand all' }).click();
    await wide.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await expect(focused(page)).toHaveAccessibleName(/^Inner 3/);
    await expectFilled(page);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(rowOf(page, /^Twin 3/)).toHaveAttribute('aria-expanded', 'false');
    await expect(rowOf(page, /^Twin 2/)).toHaveAttribute('aria-expanded', 'true');
    await typeTo(page, 'bottom', /^Bottom/);
    await expectPlace(focused(page), 19, 1, 1);
    await typeTo(page, 'wide 50000', /^Wide 50000.*simmering/);
    await expectPlace(focused(page), 3, 50_000, 50_000);
    await expectFilled(page);
  });
  expect(watch.faults).toEqual([]);
});
