// Where a model is worse and better than a baseline, row by row. Pure.
import type { RowValues } from './estimate.ts';

export interface RowChanges {
  /** Rows whose mean is lower than that of the baseline, the largest loss first. */
  readonly regressed: readonly number[];
  /** The largest gain first. */
  readonly improved: readonly number[];
}

/** Both are of the same rows. Rows that only one of them has values of are left out. */
export function toRowChanges(own: RowValues, baseline: RowValues): RowChanges {
  const gains = own.sums.map((sum, row) => {
    const [count, others] = [own.counts[row] ?? 0, baseline.counts[row] ?? 0];
    return count === 0 || others === 0 ? 0 : sum / count - (baseline.sums[row] ?? 0) / others;
  });
  const pick = (sign: 1 | -1): number[] => {
    const rows: number[] = [];
    for (let row = 0; row < gains.length; row += 1) if ((gains[row] ?? 0) * sign > 0) rows.push(row);
    return rows.sort((a, b) => ((gains[b] ?? 0) - (gains[a] ?? 0)) * sign);
  };
  return { regressed: pick(-1), improved: pick(1) };
}
