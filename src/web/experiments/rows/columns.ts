// The columns of the experiments table: how each is read, sorted, shown when missing. Pure.
import { toShortName } from '#shared/contract/shortName.ts';
import { KNOWN_STATUSES, toStatusMeaning, type StatusMeaning } from '#shared/contract/statuses.ts';
import type { ExtraParameter } from '#shared/training/extraParameters.ts';
import { toHeldOutId, toHeldOutLabel } from '#shared/training/heldOut.ts';
import { LAST_LOSS_HINT, toTrainingWord } from '#shared/training/trainingWords.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { naturalKey } from './naturalKey.ts';

/**
 * How values are written and which filter fits: `status`, `category` (few values, chosen from a list), `text` (no
 * filter of its own), `id` (monospaced, can be copied), and numbers.
 */
export type ColumnKind = 'name' | 'status' | 'category' | 'text' | 'id' | 'count' | 'rate' | 'measure' | 'duration';

export interface ExperimentColumn {
  /** Also its name in the address: in the sort, the brush, the columns, the pins. */
  readonly id: string;
  readonly label: string;
  readonly kind: ColumnKind;
  readonly width: number;
  /** null: not given. */
  readonly read: (row: ExperimentRow) => string | number | null;
  /** Comes from the job's answer, which a service need not have. */
  readonly isFromJob: boolean;
  /** What its name does not say. */
  readonly hint?: string;
  /** A field that only this service's jobs have. */
  readonly isExtra?: boolean;
}

const fromTree = (
  id: string,
  label: string,
  kind: ColumnKind,
  width: number,
  read: ExperimentColumn['read'],
): ExperimentColumn => ({ id, label, kind, width, read, isFromJob: false });
const fromJob = (
  id: string,
  label: string,
  kind: ColumnKind,
  width: number,
  read: ExperimentColumn['read'],
): ExperimentColumn => ({ id, label, kind, width, read, isFromJob: true });

/**
 * What a run is and what came of it stand first, its held-out measures behind: in a narrow panel the rest is a scroll
 * away.
 */
const BEFORE: readonly ExperimentColumn[] = [
  fromTree('label', 'Experiment', 'name', 208, (row) => row.label),
  // Experiments of several datasets have the same names; of a single one this column is left out as equal.
  fromTree('dataset', 'Dataset', 'category', 120, (row) => row.dataset),
  fromTree('status', 'Status', 'status', 120, (row) => row.status),
  { ...fromJob('last_loss', 'last_loss', 'measure', 92, (row) => row.last_loss), hint: LAST_LOSS_HINT },
];

const HELD_OUT_ROWS_HINT = 'How many rows were held out of training, on which the held-out metrics were measured';

const ASKED: readonly ExperimentColumn[] = [
  fromJob('training_type', 'training_type', 'category', 104, (row) => toTrainingWord(row.training_type)),
  fromJob('learning_rate_multiplier', 'learning_rate_multiplier', 'rate', 138, (row) => row.learning_rate_multiplier),
  fromJob('n_epochs', 'n_epochs', 'count', 84, (row) => row.n_epochs),
  fromJob('batch_size', 'batch_size', 'count', 80, (row) => row.batch_size),
  fromTree('job', 'Job', 'category', 140, (row) => row.job),
  fromTree('snapshot', 'Snapshot', 'category', 130, (row) => row.snapshot),
  fromTree('base_model_id', 'base_model_id', 'category', 146, (row) => row.base_model_id),
  fromJob('first_loss', 'first_loss', 'measure', 92, (row) => row.first_loss),
  fromJob('steps', 'steps', 'count', 84, (row) => row.steps),
  fromJob('seconds', 'seconds', 'duration', 104, (row) => row.seconds),
  { ...fromJob('held_out_rows', 'held_out_rows', 'count', 84, (row) => row.held_out_rows), hint: HELD_OUT_ROWS_HINT },
];

const LAST: readonly ExperimentColumn[] = [
  fromTree('model_id', 'model_id', 'id', 230, (row) => row.model_id),
  fromJob('failure', 'failure', 'text', 260, (row) => row.failure),
  fromTree('id', 'id', 'id', 300, (row) => row.id),
];

const FIXED: ReadonlySet<string> = new Set([...BEFORE, ...ASKED, ...LAST].map(({ id }) => id));

const toWidth = (length: number): number => Math.min(260, Math.max(108, 48 + 7 * length));
const MAX_CATEGORY = 60;

/** The kind that fits all values of a field; null where every one of them is null. */
function toExtraKind(values: readonly ExtraParameter[]): ColumnKind | null {
  const given = values.filter(({ value }) => value !== null);
  if (given.length === 0) return null;
  if (given.every(({ value }) => typeof value === 'number')) {
    if (given.some(({ kind }) => kind === 'rate')) return 'rate';
    return given.every(({ value }) => Number.isSafeInteger(value)) ? 'count' : 'measure';
  }
  return given.every(({ value }) => String(value).length <= MAX_CATEGORY) ? 'category' : 'text';
}

function toExtraValue(extra: ExtraParameter | undefined, kind: ColumnKind): string | number | null {
  if (extra === undefined || extra.value === null) return null;
  return typeof extra.value === 'number' && NUMBERS.has(kind) ? extra.value : String(extra.value);
}

/**
 * A column for each field of the jobs that has none of its own, by the wire's name; its id is the one that the compare
 * uses.
 */
function toExtraColumns(rows: readonly ExperimentRow[]): readonly ExperimentColumn[] {
  const found = new Map<string, ExtraParameter[]>();
  for (const { extras } of rows) {
    for (const [name, extra] of extras) {
      const known = found.get(name);
      if (known) known.push(extra);
      else found.set(name, [extra]);
    }
  }
  return [...found].flatMap(([name, values]) => {
    const kind = toExtraKind(values);
    if (kind === null) return [];
    const id = toShortName(FIXED.has(name) ? `+${name}` : name);
    return [
      {
        ...fromJob(id, name, kind, toWidth(name.length), ({ extras }) => toExtraValue(extras.get(name), kind)),
        isExtra: true,
      },
    ];
  });
}

/** All columns in their order; each held-out measure and each further field that a row has is one. */
export function toColumns(rows: readonly ExperimentRow[]): readonly ExperimentColumn[] {
  const names = new Set<string>();
  for (const { held_out } of rows) {
    for (const name in held_out) if (Object.hasOwn(held_out, name)) names.add(name);
  }
  const measures = [...names].map((name) =>
    fromJob(toShortName(toHeldOutId(name)), toHeldOutLabel(name), 'measure', toWidth(name.length), ({ held_out }) =>
      Object.hasOwn(held_out, name) ? (held_out[name] ?? null) : null,
    ),
  );
  return [...BEFORE, ...measures, ...ASKED, ...toExtraColumns(rows), ...LAST];
}

const NUMBERS: ReadonlySet<ColumnKind> = new Set(['count', 'rate', 'measure', 'duration']);

export const isNumberColumn = (column: ExperimentColumn): boolean => NUMBERS.has(column.kind);

/** Why there is no model: it is to come, it never will, or the service doesn't say. */
const NO_MODEL: Readonly<Record<StatusMeaning, string>> = {
  waiting: 'none yet',
  working: 'none yet',
  good: 'not given',
  bad: 'none',
  gone: 'none',
};

function toNoModelWord(status: string | null): string {
  const meaning = toStatusMeaning(status);
  return meaning === null ? 'not given' : NO_MODEL[meaning];
}

/** What stands where there is no value: said, never blank. */
export function toMissingWord(column: ExperimentColumn, row: ExperimentRow): string {
  if (column.id === 'model_id') {
    const word = toNoModelWord(row.status);
    return row.isUnread && word === 'not given' ? 'not loaded' : word;
  }
  if (column.id === 'failure' && toStatusMeaning(row.status) !== 'bad') return 'none';
  // Where the tree does not name a model, the job may.
  const isFromJob = column.isFromJob || column.id === 'base_model_id';
  return isFromJob && row.isUnread ? 'not loaded' : 'not given';
}

const STATUS_PLACES: ReadonlyMap<string, number> = new Map(KNOWN_STATUSES.map((status, place) => [status, place]));

/**
 * What `<` sorts: numbers as numbers, texts naturally, statuses in the order of their life; undefined where there is
 * no value.
 */
export function toSortKey(column: ExperimentColumn, row: ExperimentRow): string | number | undefined {
  const value = column.read(row);
  if (value === null || value === '') return undefined;
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (column.kind === 'status') return `${String(STATUS_PLACES.get(value) ?? 99).padStart(2, '0')}${naturalKey(value)}`;
  return naturalKey(value);
}
