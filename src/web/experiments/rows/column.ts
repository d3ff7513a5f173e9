// What a column of the experiments table is, and what follows from its record: filter, axis, sort key, missing values.
// Pure.
import { KNOWN_STATUSES } from '#shared/contract/statuses.ts';
import type { ColumnKind as AxisKind } from '#web/plots/scales/axes.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { naturalKey } from './naturalKey.ts';

/**
 * How values are written and which filter fits: `status`, `category` (few values, chosen from a list), `text` (no
 * filter of its own), `id` (monospaced, can be copied), and numbers.
 */
export type ColumnKind = 'name' | 'status' | 'category' | 'text' | 'id' | 'count' | 'rate' | 'measure' | 'duration';

interface KindTraits {
  readonly filter: 'list' | 'range' | null;
  /** `number`: a measure, with few digits on its axis. */
  readonly axis: AxisKind;
}

const KINDS: Readonly<Record<ColumnKind, KindTraits>> = {
  name: { filter: null, axis: 'category' },
  status: { filter: 'list', axis: 'category' },
  category: { filter: 'list', axis: 'category' },
  text: { filter: null, axis: 'category' },
  id: { filter: null, axis: 'category' },
  count: { filter: 'range', axis: 'count' },
  rate: { filter: 'range', axis: 'rate' },
  measure: { filter: 'range', axis: 'number' },
  duration: { filter: 'range', axis: 'number' },
};

/** null: not given. */
type Read = (row: ExperimentRow) => string | number | null;

/** Everything that the table, the plots, the filters, the details and the files know of a column. */
export interface ColumnRecord {
  /** Also its name in the address (sort, brush, columns, pins) and in files. */
  readonly id: string;
  readonly label: string;
  /** What its name does not say. */
  readonly hint?: string;
  readonly kind: ColumnKind;
  readonly width: number;
  /** Who gives the value. `either`: the tree, and where it does not, the job. */
  readonly source: 'tree' | 'job' | 'either';
  /** The service's own value, as files have it. */
  readonly value: Read;
  /** The value in the words that people read; without it `value` is shown. */
  readonly word?: Read;
  /** Why there is no value, where there is a better reason than "not given" or "not loaded"; null: there is none. */
  readonly missing?: (row: ExperimentRow) => string | null;
  /**
   * Whether it is shown while nobody has chosen columns. `differing`: unless all rows have the same value, which a line
   * then says. `differing-place`: likewise, but nothing is said, as two places may have one name.
   */
  readonly usual: 'always' | 'differing' | 'differing-place' | 'no';
  /** Where its axis stands in the plots; null: it is none. Lines run from what was asked of a run to its results. */
  readonly axis: 'first' | 'middle' | 'last' | null;
  /** The list of an experiment's details that it is in; null: none. */
  readonly detail: DetailPart | null;
  /** How rows are grouped by it; null: they can't be. */
  readonly group: ColumnGroup | null;
  /** How the text filter finds it; null: not at all. */
  readonly search: ColumnSearch | null;
}

export type DetailPart = 'hyperparameters' | 'training' | 'other' | 'held-out';

interface ColumnGroup {
  readonly label: string;
  /** Its place in the menu, counted from 1. */
  readonly place: number;
  /** Of the node that a group is: two jobs of one name stay two groups. null: a group is its value alone. */
  readonly nodeId: ((row: ExperimentRow) => string | null) | null;
}

interface ColumnSearch {
  /** `name`: even one letter is found anywhere in it. `id`: short words are found as whole words only. */
  readonly as: 'name' | 'id';
  /** What it is called where the page says what is searched. */
  readonly label: string;
}

export interface ExperimentColumn extends ColumnRecord {
  /** The value as it is shown, sorted, filtered and plotted. */
  readonly read: Read;
}

export const toColumn = (record: ColumnRecord): ExperimentColumn => ({ ...record, read: record.word ?? record.value });

export const isNumberKind = (kind: ColumnKind): boolean => KINDS[kind].filter === 'range';

export const isNumberColumn = ({ kind }: ExperimentColumn): boolean => isNumberKind(kind);

export const canFilter = ({ kind }: ExperimentColumn): boolean => KINDS[kind].filter !== null;

export const toAxisKind = ({ kind }: ExperimentColumn): AxisKind => KINDS[kind].axis;

/** A service decides how many of these there are. */
export const isHeldOutMeasure = ({ detail, kind }: ExperimentColumn): boolean =>
  detail === 'held-out' && kind === 'measure';

/** The text in place of a missing value. */
export function toMissingWord({ missing, source }: ExperimentColumn, row: ExperimentRow): string {
  return missing?.(row) ?? (source !== 'tree' && row.isUnread ? 'not loaded' : 'not given');
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
