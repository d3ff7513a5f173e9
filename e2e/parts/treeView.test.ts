// What the tree shows and lets one do, and the command palette: by keyboard, restored by a link, and live.
import { test } from 'vitest';
import { REMOTE_IDS } from '../remoteStudio.ts';
import { fineTunedModel } from '../remoteTree.ts';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepStudio, type Part } from './openPart.ts';

const open = keepStudio();

const row = (page: Part, name: RegExp): Locator => page.getByRole('treeitem', { name });
const chip = (page: Part, name: RegExp): Locator =>
  page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name });
const query = (): URLSearchParams => new URLSearchParams(location.search);
const paletteField = (page: Part): Locator => page.getByRole('combobox', { name: 'Search nodes, models and actions' });

async function openTree(): Promise<Part> {
  const page = await open('/');
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect(row(page, /^Experiment/)).toHaveCount(5);
  return page;
}

async function search(page: Part, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(paletteField(page)).toBeFocused();
  await page.keyboard.type(text);
}

test('a link to a project that is not there leads to one that is', async () => {
  const page = await open('/?project=no-id');
  const workspace = page.getByRole('region', { name: 'Workspace' });
  await expect(workspace.getByText(/must be a UUID/)).toBeVisible();
  page.goTo('?project=00000000-0000-4000-8000-000000009999');
  await expect(workspace.getByText(/not found/)).toBeVisible();
  await expect(page.getByText('This studio has no such project')).toBeVisible();
  const link = page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'Remote desk' });
  await open((await link.getAttribute('href')) ?? 'no address');
  await expect(row(page, /^Remote desk/)).toBeVisible();
});

test('the command palette finds nodes, models and actions by keyboard', async () => {
  const page = await open('/');
  const field = paletteField(page);
  await row(page, /^Snapshot 1/).click();
  await search(page, 'round experiment 9');
  await expect(page.getByText(/No results for/)).toBeVisible();
  await field.fill('experiment 4');
  const hit = page.getByRole('option', { name: /Experiment 4.*Assist tickets › Snapshot 1 › First round/ });
  await expect(hit).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute('aria-activedescendant', (await hit.getAttribute('id')) ?? 'an id');
  // Where the focus goes then is a matter of the browser.
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await search(page, 'experiment 4');
  await page.keyboard.press('Enter');
  await expect(row(page, /^Experiment 4/)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: 'Experiment 4' })).toBeFocused();
  await page.getByRole('button', { name: /^Search/ }).click();
  await field.fill('echo');
  await expect(page.getByRole('option', { name: /echo Open in playground/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect.poll(() => query().get('models')).toBe('echo');
  await search(page, 'running');
  await page.getByRole('option', { name: /Show running in the tree/ }).click();
  await expect.poll(() => query().get('status')).toBe('processing,running');
  await expect(row(page, /^Experiment 2/)).toBeVisible();
  await search(page, 'prompt grid');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Grid', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await search(page, 'clear filter');
  await page.keyboard.press('Enter');
  await expect.poll(() => query().get('status')).toBe(null);
  await search(page, 'collapse all');
  await page.keyboard.press('Enter');
  await expect(row(page, /^Assist tickets/)).toHaveAttribute('aria-expanded', 'false');
  await expect(field).toBeHidden();
});

test('status chips count, combine, and come back with the link', async () => {
  const page = await openTree();
  const filter = page.getByRole('searchbox', { name: 'Filter tree' });
  await expect(chip(page, /^failed 1/)).toHaveAttribute('aria-pressed', 'false');
  await expect(chip(page, /^paused-by-operator 1/)).toBeVisible();
  await chip(page, /^failed/).click();
  await chip(page, /^running/).press('Enter');
  await expect(page.getByText('2 hits')).toBeVisible();
  await expect(row(page, /^Experiment [23]/)).toHaveCount(2);
  await expect(row(page, /^First round/)).toBeVisible();
  await expect(row(page, /^Experiment 1/)).toHaveCount(0);
  await expect.poll(() => query().get('status')).toBe('failed,running');
  await filter.fill('experiment 00042');
  await expect(page.getByText('1 hit', { exact: true })).toBeVisible();
  const idle = chip(page, /^done 0/);
  await expect(idle).toHaveAttribute('aria-disabled', 'true');
  await expect(idle).toHaveAccessibleDescription(/No run that matches the text is done/);
  await expect.poll(() => query().get('q')).toBe('experiment 00042');

  await open(location.href);
  await expect(filter).toHaveValue('experiment 00042');
  await expect(chip(page, /^failed 1/)).toHaveAttribute('aria-pressed', 'true');
  await expect(row(page, /^Experiment/)).toHaveCount(1);
  await chip(page, /^failed/).click();
  await expect(page.getByText(/No node that is running matches every word of “experiment 00042”/)).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).last().click();
  await expect(row(page, /^Experiment/)).toHaveCount(5);
  await expect.poll(() => [query().get('q'), query().get('status')]).toEqual([null, null]);
});

test('words match along the path: in the node itself or above it, in the tree and in the palette', async () => {
  const page = await openTree();
  await expect(row(page, /^First round.*1 of 4 runs done, 1 running or queued, 1 failed, 1 other/)).toBeVisible();
  const filter = page.getByRole('searchbox', { name: 'Filter tree' });
  await filter.fill('first exp 2');
  await expect(page.getByText('1 hit', { exact: true })).toBeVisible();
  // What is found is marked, and so is what the rows above it give.
  const marksOf = (text: RegExp): Locator => page.getByRole('treeitem').filter({ hasText: text }).locator('mark');
  await expect(marksOf(/^Experiment 2/)).toHaveText(['Exp', '2']);
  await expect(marksOf(/^First round/)).toHaveText(['First']);
  await filter.fill('first nothing-like-it');
  await expect(page.getByText(/of those above it/)).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).last().click();

  await search(page, 'first exp 2');
  const found = page
    .getByRole('listbox', { name: 'Search results' })
    .getByRole('group', { name: 'Nodes' })
    .getByRole('option');
  await expect(found).toHaveCount(1);
  await expect(found.locator('mark')).toHaveText(['Exp', '2', 'First']);
  await page.keyboard.press('Enter');
  await expect.poll(() => query().get('node')).toBe(REMOTE_IDS.running);
});

test('the menu of a row by keyboard: reasons, panes, comparison; the question mark lists the shortcuts', async () => {
  const page = await openTree();
  await row(page, /^Experiment 3/).click();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByText('Menu of the row')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(page, /^Experiment 3/)).toBeFocused();

  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu', { name: 'Actions for Experiment 3' });
  const refused = menu.getByRole('menuitem', { name: /Open in playground.*Only a run that is done/ });
  await expect(refused).toHaveAttribute('aria-disabled', 'true');
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
  await expect.poll(() => query().get('models')).toBe(`${fineTunedModel(REMOTE_IDS.succeeded)},qwen3-0.6b`);
  await expect(page.getByRole('region', { name: 'Pane 2' })).toBeVisible();
  await row(page, /^First round/).openMenu();
  const branch = page.getByRole('menu', { name: 'Actions for First round' });
  await branch.getByRole('menuitem', { name: 'Add 4 runs to compare' }).click();
  await expect.poll(() => query().get('tab')).toBe('compare');
  await expect.poll(() => query().get('compare')?.split(',')).toHaveLength(4);
  // For a mouse alone: nobody else sees it.
  const button = row(page, /^Assist tickets/).locator('[data-menu]');
  (await button.one()).click();
  await page.getByRole('menuitem', { name: 'Collapse' }).click();
  await expect(row(page, /^Assist tickets/)).toHaveAttribute('aria-expanded', 'false');
});

test('what changes is listed in words, and a selected node that goes is missed', async () => {
  const page = await openTree();
  await row(page, /^Experiment 3/).click();
  page.remote.setStatus(REMOTE_IDS.running, 'succeeded');
  await page.getByRole('button', { name: 'Activity, 1 new change' }).press('Enter');
  const panel = page.getByRole('region', { name: 'Activity' });
  await expect(panel.getByRole('listitem')).toHaveText(/Experiment 2.*\d\d:\d\d:\d\d.*running to.*done.*First round/);
  await expect(page.getByRole('button', { name: 'Activity', exact: true })).toHaveAttribute('aria-expanded', 'true');
  await panel.getByRole('button', { name: /Experiment 2/ }).press('Enter');
  await expect(row(page, /^Experiment 2/)).toHaveAttribute('aria-selected', 'true');
  page.remote.removeNode(REMOTE_IDS.running);
  await expect(panel.getByRole('listitem').first()).toHaveText(/Experiment 2.*was removed/);
  // The tree says it, and the workspace in the place of the node.
  await expect(page.getByText(/Experiment 2 was removed at \d\d:\d\d\./)).toHaveCount(2);
  await page.getByRole('button', { name: 'Go to First round' }).click();
  await expect(row(page, /^First round/)).toHaveAttribute('aria-selected', 'true');
  await panel.getByRole('button', { name: 'Close activity' }).press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('tree', { name: 'Project tree' }).locator(':focus')).toBeVisible();
});
