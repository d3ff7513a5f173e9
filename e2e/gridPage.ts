// What browser tests do in the prompt grid.
import type { Page } from '@playwright/test';
import { goTo } from './fixtures.ts';

/** Opens the grid with one column for each model. */
export async function openGrid(page: Page, origin: string, models: string): Promise<void> {
  await page.goto(`${origin}/?models=${models}`);
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
}

/** Another grid in the page that is open, with one column for each model. */
export async function openNewGrid(page: Page, models: string): Promise<void> {
  await goTo(page, `?models=${models}`);
  await page.getByRole('button', { name: /^Grids, open/ }).click();
  await page.getByRole('button', { name: 'New grid' }).click();
}

export async function readRows(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Import rows' }).click();
  await page.getByRole('textbox', { name: 'Rows' }).fill(text);
}

/** Shows only some rows. `filter`: a label with its count, such as "Answers differ · 12". */
export async function showRows(page: Page, filter: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Rows shown' }).selectOption({ label: filter });
}
