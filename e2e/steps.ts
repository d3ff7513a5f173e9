// What browser tests do in the playground, each step waiting for what it needs.
import axe from 'axe-core';
import type { Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from './fixtures.ts';

/** The body of a chat request. */
export interface SentBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string }[];
  }[];
  readonly [field: string]: unknown;
}

/** Numbers begin with 1, from left to right. */
export const toPane = (page: Page, number: number): Locator =>
  page.getByRole('region', { name: `Pane ${number}`, exact: true });

/** Sends a message, and waits for nothing. */
export async function run(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(message);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** Opens the first fully trained run of the tree in the playground, beside its base model. */
export async function openBesideBase(page: Page): Promise<void> {
  await page
    .getByRole('treeitem', { name: /Experiment 2.*full/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Compare with base model' }).first().click();
}

/** Presses Undo in the newest message. Messages of steps before may still be there. */
export const undoLast = (page: Page): Promise<void> => page.getByRole('button', { name: 'Undo' }).last().click();

/** Keeps answers of a real model short: a busy machine takes half a minute for one that goes on to its limit. */
export async function keepShort(pane: Locator): Promise<void> {
  const field = pane.getByRole('spinbutton', { name: 'Max tokens' });
  await field.fill('16');
  await field.press('Enter');
  await expect(field).toHaveValue('16');
}

/**
 * The last answer of a pane has ended, well or not. Its first token, or its time, would not say so: a page that is left
 * then cuts what is still on its way.
 */
export async function expectEnded(pane: Locator): Promise<void> {
  await expect(pane.getByRole('article').last()).toHaveAttribute('aria-busy', 'false', { timeout: 90_000 });
}

/** Sends a message, and waits until each of the panes has one answer more, which has ended. */
export async function say(page: Page, message: string, panes: readonly Locator[] = [toPane(page, 1)]): Promise<void> {
  // A pane that was just asked for would miss the message.
  for (const pane of panes) await expect(pane).toBeVisible();
  const before = await Promise.all(panes.map((pane) => pane.getByRole('article').count()));
  await run(page, message);
  for (const [index, pane] of panes.entries()) {
    await expect(pane.getByRole('article')).toHaveCount((before[index] ?? 0) + 1);
    await expectEnded(pane);
  }
}

/** Opens a menu by its button and chooses in it. */
export async function choose(button: Locator, item: string): Promise<void> {
  await button.click();
  await button.page().getByRole('menuitem', { name: item, exact: true }).click();
}

/** Does something that starts a download, and gives its text. */
export async function downloadedBy(page: Page, act: () => Promise<void>): Promise<string> {
  const started = page.waitForEvent('download');
  await act();
  return readFile(await (await started).path(), 'utf8');
}

/** Has the page store what it stores when it goes, and waits for it: a busy browser may not let it end otherwise. */
export async function settleStores(page: Page): Promise<void> {
  await page.evaluate(async () => {
    window.dispatchEvent(new Event('pagehide'));
    const settle = (request: EventTarget, type: string) =>
      new Promise((resolve) => request.addEventListener(type, resolve, { once: true }));
    for (const { name = '' } of await indexedDB.databases()) {
      const open = indexedDB.open(name);
      await settle(open, 'success');
      // It has its turn once the page's own writes have ended.
      const turn = open.result.transaction([...open.result.objectStoreNames], 'readwrite');
      await settle(turn, 'complete');
      open.result.close();
    }
  });
}

/** Loads the page again once all is stored. */
export async function reload(page: Page): Promise<void> {
  await settleStores(page);
  await page.reload();
}

/**
 * WCAG level AAA asks for a contrast of 7:1. The dashboard holds level AA, 4.5:1, which the rule `color-contrast`
 * checks.
 */
const LEFT_OFF = new Set([
  'color-contrast-enhanced',
  // It never finds a violation: it only asks a person to look at what is hidden.
  'hidden-content',
]);
/** The minified axe: a page reads it in two thirds of the time. */
const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Every other rule that axe has, the experimental ones and those that are off by default too. */
const AXE_RULES = axe.getRules().flatMap(({ ruleId }) => (LEFT_OFF.has(ruleId) ? [] : [ruleId]));
/** The dark theme changes colours alone: everything else is checked in the light one. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * axe finds nothing in a page, or in a part of it that has opened on a page that was checked before. It runs in the page
 * itself and describes violations only: naming the thousands of elements that pass takes five times as long as
 * checking them.
 */
export async function expectAccessible(place: Page | Locator): Promise<void> {
  const part = 'goto' in place ? place.locator('html') : place;
  const page = part.page();
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(`${AXE_SOURCE};0`);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const violations = await part.evaluate(
    async (element, rules) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe };
      // Style sheets are read for one rule, about a page that is turned: it has its say on whole pages.
      const preload = element === document.documentElement;
      // axe reads the place of every element, to find what is behind a text and beside a button. For a modal dialog,
      // which is opaque, that is only what it contains: reading everything takes nearly three times as long.
      const dialog = element.closest(':modal');
      if (dialog !== null) {
        const isNear = (node: Node): number =>
          dialog.contains(node) || node.contains(dialog) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
        const walk = document.createTreeWalker.bind(document);
        document.createTreeWalker = (root, what, filter) => walk(root, what, root === document.body ? isNear : filter);
      }
      let result: axe.AxeResults;
      try {
        result = await inPage.run(element, { runOnly: rules, resultTypes: ['violations'], preload });
      } finally {
        delete (document as Partial<Document>).createTreeWalker;
      }
      return result.violations.map(({ id, nodes }) =>
        `${id}: ${nodes.map((node) => node.html).join(' | ')}`.slice(0, 600),
      );
    },
    isDark ? COLOR_RULES : AXE_RULES,
  );
  expect(violations).toEqual([]);
}

/** Puts the page into a theme, as the system does, and waits until it has followed. */
export async function setTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html.dark')).toHaveCount(colorScheme === 'dark' ? 1 : 0);
}

/** axe finds nothing in the light theme, and no fault of colours in the dark one; the page is left in the light one. */
export async function expectAccessibleInBothThemes(place: Page | Locator): Promise<void> {
  const page = 'goto' in place ? place : place.page();
  await expectAccessible(place);
  await setTheme(page, 'dark');
  await expectAccessible(place);
  await setTheme(page, 'light');
}
