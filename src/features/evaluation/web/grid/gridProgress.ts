// Progress of a grid, and an estimate of the remaining time. Pure: times come in as arguments.
import { countRemaining, type CellCounts } from './gridBook.ts';

export interface GridProgress {
  readonly settled: number;
  readonly total: number;
  /** 0 to 1; 1 for an empty grid. */
  readonly share: number;
  /** Estimated milliseconds, from the pace of this run; null: too early to estimate. */
  readonly remainingMs: number | null;
}

/** So many cells must have settled before the estimate. */
const MIN_SETTLED = 4;

export interface ProgressInput {
  readonly counts: CellCounts;
  /** Number of settled cells when this run began. */
  readonly settledBefore: number;
  /** Duration of this run in milliseconds; null: no run is active. */
  readonly elapsedMs: number | null;
  /** Number of cells that this run requests; null: all remaining cells. */
  readonly retries?: number | null;
}

export function toProgress({ counts, settledBefore, elapsedMs, retries = null }: ProgressInput): GridProgress {
  const settled = counts.done + counts.failed;
  const rest = countRemaining(counts);
  const total = settled + rest;
  const inThisRun = settled - settledBefore;
  const remaining = retries === null ? rest : Math.max(0, retries - inThisRun);
  const remainingMs = elapsedMs !== null && inThisRun >= MIN_SETTLED ? (elapsedMs / inThisRun) * remaining : null;
  return { settled, total, share: total === 0 ? 1 : settled / total, remainingMs };
}
