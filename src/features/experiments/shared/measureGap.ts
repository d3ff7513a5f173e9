// How far two runs are apart by a measure on the same validation rows. Pure.
import { toMeasure } from './measures.ts';
import { toRowsGap, type RowsGap } from '#features/evaluation/shared/passRateDifference.ts';

type Measured = readonly [share: number, run: { readonly right_rows: string | null }];

/** Which rows are right is known of exact match alone. null: there are no rows, or it is not known how many it is about. */
export function toMeasureGap(measure: string, own: Measured, other: Measured, rows: number): RowsGap | null {
  if (toMeasure(measure).isOfSome === true) return null;
  const [first, second] = [own, other].map(([share, { right_rows }]) => ({
    share,
    right: measure === 'exact_match' ? right_rows : null,
  }));
  return first && second ? toRowsGap(first, second, rows) : null;
}
