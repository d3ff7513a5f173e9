// The rows that a filter leaves, as lines: page by page, as they are taken.
import { eq } from 'drizzle-orm';
import type { RowsOf } from '#shared/contract/data/dataRoutes.ts';
import { DATA_LIMITS } from '#shared/contract/data/dataLimits.ts';
import { toFilteredFileName, type FilteredForm } from '#shared/contract/data/filteredFile.ts';
import { BLOCK_ROWS } from '#server/studio/rows/rowBlocks.ts';
import { readRows } from '#server/studio/rows/rowStore.ts';
import { datasets, snapshots } from '#server/studio/tables.ts';
import { readMarks } from './marks.ts';
import { openRowsView, type RowsView } from './rowsView.ts';
import { readRowPage, type TableDeps, type TableQuestion } from './rowTable.ts';

export type RowFilterQuestion = Omit<TableQuestion, 'from' | 'limit'>;

export interface FilteredRows {
  readonly fileName: string;
  /** Lines without line ends; a page may have none. Reading a page throws DatabaseUnavailable. */
  readonly pages: AsyncIterable<readonly string[]>;
}

/** Positions that lie in one block or two, so that they are read together. */
function* toStretches(positions: readonly number[]): Generator<readonly number[], void> {
  let stretch: number[] = [];
  for (const position of positions) {
    const [first = position] = stretch;
    if (position - first >= BLOCK_ROWS) {
      yield stretch;
      stretch = [];
    }
    stretch.push(position);
  }
  if (stretch.length > 0) yield stretch;
}

async function readLines(
  { database: { orm } }: TableDeps,
  view: RowsView,
  positions: readonly number[],
  form: FilteredForm,
): Promise<string[]> {
  const lines: string[] = [];
  for (const stretch of toStretches(positions)) {
    const range = { from: stretch[0] ?? 0, end: (stretch.at(-1) ?? 0) + 1 };
    const wanted = new Set(stretch);
    const marks = await readMarks(orm, view.datasetId, range);
    for (const row of await readRows(orm, view.datasetId, range)) {
      if (!wanted.has(row.position)) continue;
      lines.push(form === 'original' ? (row.original ?? row.text) : view.textOf(row, marks.get(row.position)));
    }
  }
  return lines;
}

async function* readPages(
  deps: TableDeps,
  owner: RowsOf,
  question: RowFilterQuestion,
  form: FilteredForm,
): AsyncGenerator<readonly string[], void> {
  const { guard, orm } = deps.database;
  const view = await guard(() => openRowsView(orm, owner));
  for (let from: number | null = 0; from !== null;) {
    const place: number = from;
    const page = await guard(() => readRowPage(deps, owner, { ...question, from: place, limit: DATA_LIMITS.page }));
    const positions = page.rows.map(({ position }) => position);
    const lines = await guard(() => readLines(deps, view, positions, form));
    yield lines;
    from = page.next;
  }
}

async function readLabels(deps: TableDeps, { kind, id }: RowsOf): Promise<readonly string[]> {
  const { orm } = deps.database;
  if (kind === 'dataset') {
    const [found] = await orm.select({ label: datasets.label }).from(datasets).where(eq(datasets.id, id));
    return found ? [found.label] : [];
  }
  const [found] = await orm
    .select({ dataset: datasets.label, snapshot: snapshots.label })
    .from(snapshots)
    .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
    .where(eq(snapshots.id, id));
  return found ? [found.dataset, found.snapshot] : [];
}

/** Throws DataProblem: 404, 400 for a search that can't be read, 409 for a finding that is not known yet. */
export async function findFilteredRows(
  deps: TableDeps,
  owner: RowsOf,
  question: RowFilterQuestion,
  form: FilteredForm,
): Promise<FilteredRows> {
  const { guard } = deps.database;
  // What is wrong with the question is told before a file begins.
  await guard(() => readRowPage(deps, owner, { ...question, from: 0, limit: 1 }));
  const labels = await guard(() => readLabels(deps, owner));
  return {
    fileName: toFilteredFileName(owner.id, labels, question, form),
    pages: readPages(deps, owner, question, form),
  };
}
