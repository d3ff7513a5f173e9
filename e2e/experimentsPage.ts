// Where the experiments table is on the page.
import type { Locator, Page } from '@playwright/test';
import { readProject } from './comparePage.ts';
import { expect } from './expect.ts';
import { goTo } from './fixtures.ts';

export const region = (page: Page): Locator => page.getByRole('region', { name: 'Runs', exact: true });
export const table = (page: Page): Locator =>
  region(page)
    .getByRole('grid', { name: 'Runs' })
    .or(region(page).getByRole('treegrid', { name: 'Runs' }));
export const names = (page: Page): Locator => table(page).getByRole('rowheader');
/** A plot is drawn with the first job that is read; this waits for the last one. */
export async function expectPlotRead(page: Page): Promise<void> {
  await expect(region(page).getByRole('figure')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Jobs loaded' })).toHaveCount(0);
}

export const head = (page: Page, name: string): Locator =>
  table(page).getByRole('columnheader', { name, exact: false });

/** Goes to the tab of the project node, with more of the address; waits for nothing. */
export async function goToTable(page: Page, rest = ''): Promise<void> {
  const project = await readProject(page);
  await goTo(page, `?project=${project}&node=${project}&tab=experiments${rest}`);
}

/** Opens the tab of the project node, with more of the address. */
export async function openTable(page: Page, rest = ''): Promise<void> {
  await goToTable(page, rest);
  await expect(table(page)).toBeVisible();
}
