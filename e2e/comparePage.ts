// Where the compare view is on the page, and what it is given to compare.
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

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
export async function readIds(page: Page, type: string): Promise<string[]> {
  await expect(page).toHaveURL(/[?&]project=/);
  const { origin, searchParams } = new URL(page.url());
  const answer = await page.request.get(`${origin}/api/v1/public/projects/${searchParams.get('project')}`);
  const body = (await answer.json()) as { project: Node };
  return idsOf(body.project, type);
}

export const grid = (page: Page): Locator => page.getByRole('region', { name: 'Compare' }).getByRole('grid');
export const rowNames = (page: Page): Promise<string[]> => grid(page).getByRole('rowheader').allInnerTexts();
export const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
export const go = (page: Page, search: string): Promise<unknown> =>
  page.goto(`${new URL(page.url()).origin}/?${search}`);

/** What arrives on the clipboard when the page copies. */
export async function copied(page: Page, act: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await act();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
  return page.evaluate(() => navigator.clipboard.readText());
}
