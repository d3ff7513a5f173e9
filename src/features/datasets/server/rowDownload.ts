// The rows that a filter leaves, as lines: page by page, as they are taken.
import { setImmediate } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { FitList } from '#features/datasets/shared/contract/rows.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import {
  toFilteredFileName,
  TRAINER_FORMS,
  type FilteredForm,
  type TrainerForm,
} from '#features/datasets/shared/contract/filteredFile.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toTrainerName, toTrainerRows } from '#features/datasets/shared/trainerRows.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { readRows } from '#features/datasets/server/rows/rowStore.ts';
import { datasets, snapshots } from '#service/database/tables.ts';
import { DataProblem } from './dataProblem.ts';
import { readMarks } from './rowEdits.ts';
import { openRowsView, type RowsView } from './datasetRowSet.ts';
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

interface ReadText {
  readonly position: number;
  readonly text: string;
}

async function readTexts(
  { database: { orm } }: TableDeps,
  view: RowsView,
  positions: readonly number[],
  isOriginal: boolean,
): Promise<ReadText[]> {
  const texts: ReadText[] = [];
  for (const stretch of toStretches(positions)) {
    const range = { from: stretch[0] ?? 0, end: (stretch.at(-1) ?? 0) + 1 };
    const wanted = new Set(stretch);
    const marks = await readMarks(orm, view.datasetId, range);
    for (const row of await readRows(orm, view.datasetId, range)) {
      const { position } = row;
      if (!wanted.has(position)) continue;
      const text = isOriginal ? (row.original ?? row.text) : view.textOf(row, marks.get(position));
      texts.push({ position, text });
    }
  }
  return texts;
}

async function* readPages(
  deps: TableDeps,
  owner: RowsOf,
  question: RowFilterQuestion,
  isOriginal = false,
): AsyncGenerator<readonly ReadText[], void> {
  const { guard, orm } = deps.database;
  const view = await guard(() => openRowsView(orm, owner));
  for (let from: number | null = 0; from !== null;) {
    const place: number = from;
    const page = await guard(() => readRowPage(deps, owner, { ...question, from: place, limit: DATA_LIMITS.page }));
    const positions = page.rows.map(({ position }) => position);
    yield await guard(() => readTexts(deps, view, positions, isOriginal));
    from = page.next;
  }
}

const isTrainerForm = (form: FilteredForm): form is TrainerForm => form !== 'chat' && form !== 'original';

async function* readLines(
  deps: TableDeps,
  owner: RowsOf,
  question: RowFilterQuestion,
  form: FilteredForm,
): AsyncGenerator<readonly string[], void> {
  for await (const page of readPages(deps, owner, question, form === 'original')) {
    yield page.flatMap(({ text }) => {
      if (!isTrainerForm(form)) return [text];
      const written = toTrainerRows(JSON.parse(text) as ChatRow, form);
      // Rows that don't fit were looked for before the file began.
      return written.ok ? written.rows.map((row) => JSON.stringify(row)) : [];
    });
  }
}

/** Which trainers and services take the rows that the filters leave. All rows are read. */
export async function readFits(
  deps: TableDeps,
  owner: RowsOf,
  question: RowFilterQuestion,
  forms: readonly TrainerForm[] = TRAINER_FORMS,
): Promise<FitList> {
  const fits: FitList['fits'] = forms.map((form) => ({ form, name: toTrainerName(form), misfits: 0, first: null }));
  let rows = 0;
  for await (const page of readPages(deps, owner, question)) {
    rows += page.length;
    for (const { position, text } of page) {
      const row = JSON.parse(text) as ChatRow;
      for (const fit of fits) {
        const written = toTrainerRows(row, fit.form);
        if (written.ok) continue;
        fit.misfits += 1;
        fit.first ??= { position, reason: written.reason };
      }
    }
    // Others are answered between pages.
    await setImmediate();
  }
  return { rows, fits };
}

/** Throws DataProblem 409 for rows that the form can't express. */
async function checkForm(
  deps: TableDeps,
  owner: RowsOf,
  question: RowFilterQuestion,
  form: TrainerForm,
): Promise<void> {
  const { fits } = await readFits(deps, owner, question, [form]);
  const { misfits = 0, first = null } = fits[0] ?? {};
  if (first === null) return;
  throw new DataProblem(
    409,
    `${misfits === 1 ? '1 row has' : `${misfits} rows have`} no place in this form, first row ${first.position + 1}. ` +
      `${first.reason} Correct them, or filter the table so that they are not among its rows.`,
    { param: 'form', code: 'rows_do_not_fit' },
  );
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
  if (isTrainerForm(form)) await checkForm(deps, owner, question, form);
  const labels = await guard(() => readLabels(deps, owner));
  return {
    fileName: toFilteredFileName(owner.id, labels, question, form),
    pages: readLines(deps, owner, question, form),
  };
}
