// The heads of the table are one tab stop: their controls in visual order, and where the arrow keys lead. Pure.
import { canFilter, isNumberColumn, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';

export const CHOOSE_ALL = 'all';
export const toSortStop = (columnId: string): string => `sort ${columnId}`;
export const toFilterStop = (columnId: string): string => `filter ${columnId}`;

/** Numbers are aligned right, so their columns have the filter left of the name. */
export function toHeadStops(columns: readonly ExperimentColumn[]): readonly string[] {
  const toColumnStops = (column: ExperimentColumn): readonly string[] => {
    const stops = canFilter(column) ? [toSortStop(column.id), toFilterStop(column.id)] : [toSortStop(column.id)];
    return isNumberColumn(column) ? stops.toReversed() : stops;
  };
  return [CHOOSE_ALL, ...columns.flatMap(toColumnStops)];
}

/** The stop that a key leads to; null for a key that does nothing in the heads. */
export function findNextStop(stops: readonly string[], current: string, key: string): string | null {
  const index = stops.indexOf(current);
  const last = stops.length - 1;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, index - 1),
    ArrowRight: Math.min(last, index + 1),
    Home: 0,
    End: last,
  };
  const place = Object.hasOwn(places, key) ? places[key] : undefined;
  return place === undefined ? null : (stops[place] ?? null);
}
