// Makes the axes of a plot from rows and columns: kind, scale, range, and columns that need no axis. Pure.
import { isMissing, type PlotValue } from './brush.ts';
import { formatMeasure } from '#core/contract/numberNotation.ts';
import { formatPlotValue, toTicks, type Tick } from './ticks.ts';

export type ColumnKind = 'rate' | 'count' | 'number' | 'category';

export interface PlotColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** `rate` has a logarithmic axis unless switched, `count` and `number` a linear one. */
  readonly kind: ColumnKind;
  /** null: not given. */
  readonly read: (row: Row) => PlotValue;
  /** What people read for a category; left out: the category itself. Brushes hold the category. */
  readonly toText?: ((category: string) => string) | undefined;
}

/** The fields of a row that every plot needs; callers add the fields that their columns read. */
export interface PlotRow {
  readonly key: string;
  readonly label: string;
  /** Colour s1..s8 by place in the selection; null: not selected. */
  readonly series: number | null;
  /** Faded for a reason of the caller's; rows outside the brush are faded in any case. */
  readonly isFaded?: boolean;
}

interface AxisBase {
  readonly id: string;
  readonly label: string;
  /** One per row, in their order; null without a value or a finite number. */
  readonly values: readonly PlotValue[];
  /** Whether a row lacks a value: the axis then has a place for them below it. */
  readonly hasMissing: boolean;
}

export interface NumberAxis extends AxisBase {
  readonly kind: 'number';
  readonly scale: 'linear' | 'log';
  /** Why the axis is linear although a logarithmic one was wanted. */
  readonly scaleNote: string | null;
  /** Losses and the like: written with fewer digits than rates and counts. */
  readonly isMeasure: boolean;
  /** Counts that are all whole: no values exist between them. */
  readonly isWhole: boolean;
  /** Ends of the axis, from <= all values <= to, from < to. */
  readonly from: number;
  readonly to: number;
  /** Smallest and largest value. */
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly Tick[];
}

export interface CategoryAxis extends AxisBase {
  readonly kind: 'category';
  readonly scale: 'linear';
  /** In natural order ("2" before "10"), from the top; never empty, none twice. */
  readonly categories: readonly string[];
  /** What people read for a category. */
  readonly toText: (category: string) => string;
}

export type PlotAxis = NumberAxis | CategoryAxis;

/** A column with one value over all rows; `text` is that value in words. */
export interface SameColumn {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

export interface Axes {
  readonly axes: readonly PlotAxis[];
  readonly same: readonly SameColumn[];
}

/** In sentences, names and lists of choices. */
export const NOT_GIVEN = 'not given';
/** In the place of a value. */
export const NOT_GIVEN_MARK = '—';

/** Made at its first use: where it is the first of a page, it takes tens of milliseconds. */
let natural: Intl.Collator | null = null;

/** Natural order that never calls two different texts equal. */
function compareText(a: string, b: string): number {
  natural ??= new Intl.Collator('en', { numeric: true });
  return natural.compare(a, b) || (a < b ? -1 : Number(a > b));
}

function toNumberAxis(base: AxisBase, numbers: readonly number[], wantsLog: boolean, kind: ColumnKind): NumberAxis {
  let [min, max] = [Infinity, -Infinity];
  for (const value of numbers) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const scale = wantsLog && min > 0 ? 'log' : 'linear';
  const isWhole = kind === 'count' && numbers.every(Number.isSafeInteger);
  const scaleNote =
    wantsLog && scale === 'linear' ? `linear: a logarithmic axis can’t show ${formatPlotValue(min)}` : null;
  const isMeasure = kind === 'number';
  return {
    ...base,
    kind: 'number',
    scale,
    scaleNote,
    isMeasure,
    isWhole,
    min,
    max,
    ...toTicks({ min, max, scale, isWhole, isMeasure }),
  };
}

/** A value of an axis in words. */
export function toAxisText(axis: PlotAxis, value: PlotValue): string {
  if (value === null) return NOT_GIVEN;
  if (axis.kind === 'category' && typeof value === 'string') return axis.toText(value);
  return axis.kind === 'number' && axis.isMeasure && typeof value === 'number'
    ? formatMeasure(value)
    : formatPlotValue(value);
}

/** An axis for one column, whatever its values; null when no row has one. */
export function toAxis<Row>(rows: readonly Row[], column: PlotColumn<Row>, isFlipped: boolean): PlotAxis | null {
  const read = rows.map(column.read);
  const values = read.map((value) => (isMissing(value) ? null : value));
  const base = { id: column.id, label: column.label, values, hasMissing: values.includes(null) };
  const given = values.filter((value) => value !== null);
  if (given.length === 0) return null;
  const numbers = given.filter((value) => typeof value === 'number');
  // A service may send a text in place of a number; then all values are shown as texts.
  if (column.kind !== 'category' && numbers.length === given.length) {
    return toNumberAxis(base, numbers, (column.kind === 'rate') !== isFlipped, column.kind);
  }
  const categories = [...new Set(given.map(String))].sort(compareText);
  return {
    ...base,
    values: values.map((value) => (value === null ? null : String(value))),
    kind: 'category',
    scale: 'linear',
    categories,
    toText: column.toText ?? ((category) => category),
  };
}

/** A column and its axis; null when no row has a value. */
export interface ColumnAxis {
  readonly id: string;
  readonly label: string;
  readonly axis: PlotAxis | null;
}

/** Axes of all columns. `flipped` are the ids of axes whose scale was switched from its default. */
export function toColumnAxes<Row>(
  rows: readonly Row[],
  columns: readonly PlotColumn<Row>[],
  flipped: readonly string[],
): readonly ColumnAxis[] {
  return columns.map((column) => ({
    id: column.id,
    label: column.label,
    axis: toAxis(rows, column, flipped.includes(column.id)),
  }));
}

/**
 * The axes on which rows differ, and the other columns (a missing value counts as a value). A column in `kept` is an
 * axis if any row has a value: brushed columns, so that the brush stays visible and can be cleared.
 */
export function pickAxes(all: readonly ColumnAxis[], kept: { readonly has: (id: string) => boolean }): Axes {
  const axes: PlotAxis[] = [];
  const same: SameColumn[] = [];
  for (const { id, label, axis } of all) {
    const first = axis?.values[0] ?? null;
    const isSame = axis === null || axis.values.every((value) => value === first);
    if (axis && (!isSame || kept.has(id))) axes.push(axis);
    else same.push({ id, label, text: axis === null ? NOT_GIVEN : toAxisText(axis, first) });
  }
  return { axes, same };
}

const MOST_AXES = 16;
/** This few are not worth a fold. */
const SLACK = 3;

/** All axes, or the first ones and those in `kept` if there are very many. */
export function foldAxes(
  axes: readonly PlotAxis[],
  kept: { readonly has: (id: string) => boolean },
): readonly PlotAxis[] {
  const few = axes.filter(({ id }, at) => at < MOST_AXES || kept.has(id));
  return axes.length - few.length <= SLACK ? axes : few;
}

/** Further columns are only counted: nobody reads so many in a line. */
const MOST_SAME = 12;

/** "Same for all: batch_size 8, training_type lora"; null when every column differs. */
export function toSameText(same: readonly SameColumn[]): string | null {
  const more = same.length > MOST_SAME ? ` and ${same.length - MOST_SAME} more` : '';
  return same.length === 0
    ? null
    : `Same for all: ${same
        .slice(0, MOST_SAME)
        .map(({ label, text }) => `${label} ${text}`)
        .join(', ')}${more}`;
}
