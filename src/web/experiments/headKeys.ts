// The heads of the table as one stop of the Tab key: their controls in the order in which they are seen, and where
// arrows lead. Pure.
import { canFilter, isNumberColumn, type ExperimentColumn } from '#web/experiments/rows/column.ts';

export const CHOOSE_ALL = 'all';
export const toSortStop = (columnId: string): string => `sort ${columnId}`;
export const toFilterStop = (columnId: string): string => `filter ${columnId}`;

/** In a column of numbers, which stands at its right edge, the filter is left of the name. */
export function toHeadStops(columns: readonly ExperimentColumn[]): readonly string[] {
  const ofColumn = (column: ExperimentColumn): readonly string[] => {
    const stops = canFilter(column) ? [toSortStop(column.id), toFilterStop(column.id)] : [toSortStop(column.id)];
    return isNumberColumn(column) ? stops.toReversed() : stops;
  };
  return [CHOOSE_ALL, ...columns.flatMap(ofColumn)];
}

/** The stop that a key leads to; null: the key is none of the heads'. */
export function findNextStop(stops: readonly string[], now: string, key: string): string | null {
  const at = stops.indexOf(now);
  const last = stops.length - 1;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    Home: 0,
    End: last,
  };
  const place = Object.hasOwn(places, key) ? places[key] : undefined;
  return place === undefined ? null : (stops[place] ?? null);
}
