// The columns of the experiments table: one record each, and the columns that the rows add. Pure.
import { toStatusMeaning, type StatusMeaning } from '#core/contract/statuses.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { toColumn, type ColumnRecord, type ExperimentColumn } from './column.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { toExtraColumns, toMeasureColumns } from './jobColumns.ts';

/** Name, place, status and last loss come first; validation measures follow. A narrow panel shows only these. */
const FIRST = [
  {
    id: 'label',
    label: 'Run',
    kind: 'name',
    width: 208,
    source: 'tree',
    usual: 'always',
    search: { as: 'name', label: 'names' },
  },
  {
    id: 'star',
    label: 'Star',
    kind: 'category',
    width: 76,
    source: 'tree',
    value: (row) => (row.is_starred ? 'starred' : null),
    missing: () => '',
    usual: 'differing',
  },
  {
    id: 'tags',
    label: 'Tags',
    kind: 'category',
    width: 132,
    source: 'tree',
    value: (row) => row.tags.join(', ') || null,
    parts: (row) => row.tags,
    missing: () => '',
    usual: 'differing',
    search: { as: 'name', label: 'tags' },
  },
  {
    // Tells apart the experiments of several datasets, which have the same names.
    id: 'dataset',
    label: 'Dataset',
    kind: 'category',
    width: 120,
    source: 'tree',
    usual: 'differing-place',
    group: { label: 'Dataset', place: 3, nodeId: (row) => row.dataset_id },
    search: { as: 'name', label: 'datasets' },
  },
  {
    id: 'status',
    label: 'Status',
    kind: 'status',
    width: 120,
    source: 'tree',
    usual: 'always',
    axis: 'first',
    group: { label: 'Status', place: 2, nodeId: null },
    search: { as: 'name', label: 'status' },
  },
  {
    id: 'last_loss',
    kind: 'measure',
    width: 108,
    source: 'job',
    usual: 'differing',
    axis: 'middle',
    detail: 'training',
  },
] as const satisfies readonly ColumnRecord[];

const MIDDLE = [
  {
    id: 'training_type',
    kind: 'category',
    width: 104,
    source: 'job',
    word: (row) => toTrainingWord(row.training_type),
    usual: 'differing',
    axis: 'first',
    detail: 'hyperparameters',
    search: { as: 'name', label: 'training type' },
  },
  {
    id: 'learning_rate_multiplier',
    kind: 'rate',
    width: 124,
    source: 'job',
    usual: 'differing',
    axis: 'first',
    detail: 'hyperparameters',
  },
  {
    id: 'n_epochs',
    kind: 'count',
    width: 84,
    source: 'job',
    usual: 'differing',
    axis: 'first',
    detail: 'hyperparameters',
  },
  {
    id: 'batch_size',
    kind: 'count',
    width: 80,
    source: 'job',
    usual: 'differing',
    axis: 'first',
    detail: 'hyperparameters',
  },
  {
    id: 'job',
    label: 'Job',
    kind: 'category',
    width: 140,
    source: 'tree',
    usual: 'differing-place',
    group: { label: 'Job', place: 4, nodeId: (row) => row.job_id },
    search: { as: 'name', label: 'jobs' },
  },
  {
    id: 'snapshot',
    label: 'Snapshot',
    kind: 'category',
    width: 130,
    source: 'tree',
    usual: 'differing-place',
    search: { as: 'name', label: 'snapshots' },
  },
  {
    id: 'base_model_id',
    kind: 'category',
    width: 146,
    source: 'either',
    usual: 'differing',
    axis: 'middle',
    detail: 'hyperparameters',
    group: { label: 'Base model', place: 1, nodeId: null },
    search: { as: 'id', label: 'base models' },
  },
  {
    id: 'first_loss',
    kind: 'measure',
    width: 92,
    source: 'job',
    usual: 'no',
    axis: 'middle',
    detail: 'training',
  },
  {
    id: 'steps',
    kind: 'count',
    width: 84,
    source: 'job',
    usual: 'no',
    axis: 'middle',
    detail: 'training',
  },
  {
    id: 'seconds',
    kind: 'duration',
    width: 104,
    source: 'job',
    usual: 'no',
    axis: 'middle',
    detail: 'training',
  },
  {
    id: 'ended_at',
    kind: 'date',
    width: 136,
    source: 'job',
    usual: 'no',
    detail: 'training',
  },
  {
    // No axis: it describes the measures, not the run.
    id: 'held_out_rows',
    kind: 'count',
    width: 84,
    source: 'job',
    usual: 'no',
    detail: 'validation',
  },
  {
    id: 'decoding',
    kind: 'text',
    width: 96,
    source: 'job',
    usual: 'no',
    detail: 'validation',
  },
] as const satisfies readonly ColumnRecord[];

/** Text for a missing model, which may still come or never will; null: the service doesn't say. */
const NO_MODEL: Readonly<Record<StatusMeaning, string | null>> = {
  waiting: 'none yet',
  working: 'none yet',
  good: null,
  bad: 'none',
  ended: null,
  gone: 'none',
};

function toNoModelWord({ status }: ExperimentRow): string | null {
  const meaning = toStatusMeaning(status);
  return meaning === null ? null : NO_MODEL[meaning];
}

const LAST = [
  {
    id: 'model_id',
    kind: 'id',
    width: 230,
    source: 'either',
    missing: toNoModelWord,
    usual: 'differing',
    search: { as: 'id', label: 'model ids' },
  },
  {
    id: 'failure',
    kind: 'text',
    width: 260,
    source: 'either',
    missing: ({ status }) => (toStatusMeaning(status) === 'bad' ? null : 'none'),
    usual: 'no',
    search: { as: 'id', label: 'failures' },
  },
  {
    id: 'id',
    kind: 'id',
    width: 300,
    source: 'tree',
    usual: 'no',
    search: { as: 'id', label: 'ids' },
  },
] as const satisfies readonly ColumnRecord[];

const RECORDS = [...FIRST, ...MIDDLE, ...LAST].map((record: ColumnRecord) => toColumn(record, false));

export type ColumnId = (typeof FIRST | typeof MIDDLE | typeof LAST)[number]['id'];

/** People tell rows apart by this column. */
export const NAME_COLUMN: ColumnId = 'label';
/** Files are joined by this column. */
export const KEY_COLUMN: ColumnId = 'id';

/** The columns that rows can be grouped by, in the order of the menu. */
export const GROUPS: readonly { readonly id: string; readonly label: string }[] = RECORDS.flatMap(({ id, group }) =>
  group ? [{ id, ...group }] : [],
).toSorted((a, b) => a.place - b.place);

/** The columns that the text filter searches. */
export const SEARCHED_COLUMNS = RECORDS.flatMap((column) =>
  column.search ? [{ ...column, search: column.search }] : [],
);

const FIXED = new Map<string, ColumnRecord>([...FIRST, ...MIDDLE, ...LAST].map((record) => [record.id, record]));

/**
 * All columns in their order, with one for each validation measure and each further field of the rows. `isRate`:
 * `learning_rate_multiplier` is the learning rate itself, and is called so.
 */
export function toColumns(rows: readonly ExperimentRow[], isRate = false): readonly ExperimentColumn[] {
  const records = [...FIRST, ...toMeasureColumns(rows), ...MIDDLE, ...toExtraColumns(rows, FIXED), ...LAST];
  return records.map((record: ColumnRecord) => toColumn(record, isRate));
}
