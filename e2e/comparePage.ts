// Where the compare view is on the page, and what it is given to compare.
import type { Locator, Page } from '@playwright/test';
import { expect, goTo, originOf } from './fixtures.ts';

interface Node {
  readonly id: string;
  readonly type: string;
  readonly children?: readonly Node[] | null;
}

function idsOf(node: Node, type: string): string[] {
  const beneath = (node.children ?? []).flatMap((child) => idsOf(child, type));
  return node.type === type ? [node.id, ...beneath] : beneath;
}

/** The id of the project in the page's address, else of the studio's first one, which such a page opens. */
export async function readProject(page: Page): Promise<string> {
  const open = new URL(page.url()).searchParams.get('project');
  if (open !== null) return open;
  const answer = await page.request.get(`${originOf(page)}/api/v1/public/projects`);
  const { projects } = (await answer.json()) as { projects: readonly { readonly id: string }[] };
  return projects[0]?.id ?? '';
}

/** Ids of the nodes of a type in a project, in tree order; without `project`, in that one. */
export async function readIds(page: Page, type: string, project?: string): Promise<string[]> {
  const id = project ?? (await readProject(page));
  const answer = await page.request.get(`${originOf(page)}/api/v1/public/projects/${id}`);
  const body = (await answer.json()) as { project: Node };
  return idsOf(body.project, type);
}

export const grid = (page: Page): Locator => page.getByRole('region', { name: 'Compare' }).getByRole('grid');
export const rowNames = (page: Page): Promise<string[]> => grid(page).getByRole('rowheader').allInnerTexts();
export const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
export const go = (page: Page, search: string): Promise<void> => goTo(page, `?${search}`);

/** Opens the first snapshot, which shows its recommendations; waits for nothing. */
export async function goToSnapshot(page: Page): Promise<void> {
  const [first = ''] = await readIds(page, 'snapshot');
  await go(page, `node=${first}`);
}

/** What arrives on the clipboard when the page copies. */
export async function copied(page: Page, act: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await act();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
  return page.evaluate(() => navigator.clipboard.readText());
}
