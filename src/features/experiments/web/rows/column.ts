// The record of a column of the experiments table, and what follows from it: filter, axis, sort key, missing values.
// Pure.
import { KNOWN_STATUSES } from '#core/contract/statuses.ts';
import { toFieldHint, toFieldLabel } from '#features/experiments/shared/fieldLabels.ts';
import type { ColumnKind as AxisKind } from '#ui/plots/scales/axes.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { naturalKey } from './naturalKey.ts';

/**
 * Decides how values are written and which filter fits: `status`, `category` (few values, chosen from a list), `text`
 * (no column filter), `id` (monospaced, can be copied), numbers, and `date` (a point in time as ISO 8601 text).
 */
export type ColumnKind =
  | 'name'
  | 'status'
  | 'category'
  | 'text'
  | 'id'
  | 'count'
  | 'rate'
  | 'measure'
  | 'share'
  | 'duration'
  | 'date';

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
  share: { filter: 'range', axis: 'number' },
  duration: { filter: 'range', axis: 'number' },
  date: { filter: null, axis: 'category' },
};

/** null: not given. */
type Read = (row: ExperimentRow) => string | number | null;

/** Everything that the table, the plots, the filters, the details and the files know of a column. */
export interface ColumnRecord {
  /** Also its name in the address (sort, brush, columns, pins) and in files. */
  readonly id: string;
  /** Left out, with its hint: those of the field that is called like the column. */
  readonly label?: string;
  /** What the label does not say. */
  readonly hint?: string | undefined;
  readonly kind: ColumnKind;
  /** Of a measure: which values are better. The first press on the head sorts the best first. */
  readonly better?: 'higher' | 'lower';
  readonly width: number;
  /** Where the value comes from. `either`: the tree, else the job. */
  readonly source: 'tree' | 'job' | 'either';
  /** The service's own value; files contain it. Left out: the field of the job that is called like the column. */
  readonly value?: Read;
  /** The value as shown; `value` where it is left out. */
  readonly word?: Read;
  /** Of a value that is a list: its parts. A filter offers and matches each of them. */
  readonly parts?: (row: ExperimentRow) => readonly string[];
  /** A better reason for a missing value than "not given" or "not loaded"; null: there is none. */
  readonly missing?: (row: ExperimentRow) => string | null;
  /**
   * Whether the column is shown while nobody has chosen columns. `differing`: unless all rows have the same value,
   * which a line then names. `differing-place`: likewise, but without that line, because two places may have one name.
   */
  readonly usual: 'always' | 'differing' | 'differing-place' | 'no';
  /** Where its axis is in the plots, if it has one. Lines run from the hyperparameters to the results. */
  readonly axis?: 'first' | 'middle' | 'last';
  /** The list of an experiment's details that shows it, if one does. */
  readonly detail?: DetailPart;
  /** How rows are grouped by it, if that is offered. */
  readonly group?: ColumnGroup;
  /** How the text filter searches it, if it does. */
  readonly search?: ColumnSearch;
}

export type DetailPart = 'hyperparameters' | 'training' | 'other' | 'validation';

interface ColumnGroup {
  readonly label: string;
  /** Its place in the menu, counted from 1. */
  readonly place: number;
  /** Id of the group's node, so two jobs of one name stay two groups; null: the value alone makes the group. */
  readonly nodeId: ((row: ExperimentRow) => string | null) | null;
}

interface ColumnSearch {
  /** `name`: even a single letter matches anywhere in it. `id`: short words match as whole words only. */
  readonly as: 'name' | 'id';
  /** Its name in the text that says what is searched. */
  readonly label: string;
}

export interface ExperimentColumn extends ColumnRecord {
  readonly label: string;
  readonly value: Read;
  /** The value as it is shown, sorted, filtered and plotted. */
  readonly read: Read;
}

/** A field that this studio's reader of jobs knows, or another one. */
function readField(row: ExperimentRow, id: string): string | number | null {
  const field: unknown = Object.hasOwn(row, id) ? row[id as keyof ExperimentRow] : row.extra[id];
  return typeof field === 'string' || typeof field === 'number' ? field : null;
}

/** `isRate`: as `toFieldLabel` takes it. */
export function toColumn(record: ColumnRecord, isRate: boolean): ExperimentColumn {
  const { id, value = (row) => readField(row, id), word = value } = record;
  const words = record.label === undefined && { label: toFieldLabel(id, isRate), hint: toFieldHint(id, isRate) };
  return { label: id, ...record, ...words, value, read: word };
}

export const isNumberKind = (kind: ColumnKind): boolean => KINDS[kind].filter === 'range';

export const isNumberColumn = ({ kind }: ExperimentColumn): boolean => isNumberKind(kind);

export const canFilter = ({ kind }: ExperimentColumn): boolean => KINDS[kind].filter !== null;

export const toAxisKind = ({ kind }: ExperimentColumn): AxisKind => KINDS[kind].axis;

/** A service decides how many of these columns there are. */
export const isHeldOutMeasure = ({ detail, kind }: ExperimentColumn): boolean =>
  detail === 'validation' && (kind === 'measure' || kind === 'share');

/** Why a value is missing; null: it was simply not given. */
export function toMissingWord({ missing, source }: ExperimentColumn, row: ExperimentRow): string | null {
  return missing?.(row) ?? (source !== 'tree' && row.isUnread ? 'not loaded' : null);
}

const STATUS_PLACES: ReadonlyMap<string, number> = new Map(KNOWN_STATUSES.map((status, place) => [status, place]));

/**
 * A key for `<`: numbers as numbers, texts in natural order, statuses in the order of their life; undefined for a
 * missing value.
 */
export function toSortKey(column: ExperimentColumn, row: ExperimentRow): string | number | undefined {
  const value = column.read(row);
  if (value === null || value === '') return undefined;
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (column.kind === 'date') return Date.parse(value) || undefined;
  if (column.kind === 'status') return `${String(STATUS_PLACES.get(value) ?? 99).padStart(2, '0')}${naturalKey(value)}`;
  return naturalKey(value);
}
