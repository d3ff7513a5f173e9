// What tests of parts do, each step waiting for what it needs.
import type { SentBody } from '../steps.ts';
import { expect } from './expect.ts';
import { Locator } from './locate.ts';
import type { Part } from './openPart.ts';

/** Numbers begin with 1, from left to right. */
export const toPane = (page: Part, number: number): Locator =>
  page.getByRole('region', { name: `Pane ${number}`, exact: true });

/** Sends a message, and waits for nothing. */
export async function run(page: Part, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(message);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** The last answer of a pane has ended, well or not. */
export const expectEnded = (pane: Locator): Promise<void> =>
  expect(pane.getByRole('article').last()).toHaveAttribute('aria-busy', 'false');

/** Sends a message, and waits until each of the panes has one answer more, which has ended. */
export async function say(page: Part, message: string, panes: readonly Locator[] = [toPane(page, 1)]): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  const before = panes.map((pane) => pane.getByRole('article').count());
  await run(page, message);
  for (const [index, pane] of panes.entries()) {
    await expect(pane.getByRole('article')).toHaveCount((before[index] ?? 0) + 1);
    await expectEnded(pane);
  }
}

/** Does something that sends one request, and gives its body. */
export async function sentBy(page: Part, act: () => Promise<void>): Promise<SentBody> {
  const before = page.sent.length;
  await act();
  await expect.poll(() => page.sent.length).toBeGreaterThan(before);
  return page.sent[before]!;
}

/** Opens a menu by its button and chooses in it. */
export async function choose(button: Locator, item: string): Promise<void> {
  const menu = new Locator(() => [document.body]);
  await button.click();
  await menu.getByRole('menuitem', { name: item, exact: true }).click();
  // One that is closing would be taken for the next.
  await expect(menu.getByRole('menuitem')).toHaveCount(0);
}

/** Does something that saves a file, and gives its text. */
export async function downloadedBy(page: Part, act: () => Promise<void>): Promise<string> {
  const before = page.saved.length;
  await act();
  await expect.poll(() => page.saved.length).toBeGreaterThan(before);
  return page.saved[before]!;
}
