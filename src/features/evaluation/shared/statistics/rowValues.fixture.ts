// For tests: values by row, one line a row and one value an answer. null is not known.
import type { RowValues } from './estimate.ts';

export function toRowValues(rows: readonly (readonly (number | null)[])[]): RowValues {
  const known = rows.map((values) => values.filter((value) => value !== null));
  return {
    sums: Float64Array.from(known, (values) => values.reduce((sum, value) => sum + value, 0)),
    counts: Uint16Array.from(known, ({ length }) => length),
  };
}
