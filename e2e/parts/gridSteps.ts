// What tests of parts do in the prompt grid.
import type { keepPart, Part } from './openPart.ts';
import { downloadedBy } from './steps.ts';

/** Opens the grid with one column for each model. */
export async function openGrid(open: ReturnType<typeof keepPart>, models: string): Promise<Part> {
  const page = await open(`/?models=${models}`);
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  return page;
}

export async function readRows(page: Part, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Import rows' }).click();
  await page.getByRole('textbox', { name: 'Rows' }).fill(text);
}

/** Reads rows into a grid that has none. */
export async function useRows(page: Part, text: string): Promise<void> {
  await readRows(page, text);
  await page.getByRole('button', { name: 'Use these rows' }).click();
}

export const runGrid = (page: Part): Promise<void> => page.getByRole('button', { name: 'Run grid' }).click();

/** Adds a check, and chooses what it asks of an answer. */
export async function addCheck(page: Part, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('combobox', { name: 'Answer' }).selectOption(kind);
}

/** Shows only some rows. `filter`: a label with its count, such as "Answers differ · 12". */
export const showRows = (page: Part, filter: string): Promise<void> =>
  page.getByRole('combobox', { name: 'Rows shown' }).selectOption(filter);

/** Exports the grid by a menu item, and gives the file's text. */
export async function saveAs(page: Part, item: RegExp): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  return downloadedBy(page, () => page.getByRole('menuitem', { name: item }).click());
}
