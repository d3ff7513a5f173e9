// How far a grid is, and how long the rest may take. Pure: times come in.
import { countLeft, type CellCounts } from './gridBook.ts';

export interface GridProgress {
  readonly settled: number;
  readonly total: number;
  /** 0 to 1; 1 for an empty grid. */
  readonly share: number;
  /** Milliseconds, from the pace of this run; null before it can be told. */
  readonly leftMs: number | null;
}

/** Cells that must have settled before their pace says anything. */
const ENOUGH = 4;

export interface ProgressInput {
  readonly counts: CellCounts;
  /** Cells that had settled when this run began. */
  readonly settledBefore: number;
  /** Milliseconds that this run has taken; null when nothing runs. */
  readonly elapsedMs: number | null;
  /** Cells that this run asks for; null: all that are left. */
  readonly retries?: number | null;
}

export function toProgress({ counts, settledBefore, elapsedMs, retries = null }: ProgressInput): GridProgress {
  const settled = counts.done + counts.failed;
  const rest = countLeft(counts);
  const total = settled + rest;
  const inThisRun = settled - settledBefore;
  const asked = retries === null ? rest : Math.max(0, retries - inThisRun);
  const leftMs = elapsedMs !== null && inThisRun >= ENOUGH ? (elapsedMs / inThisRun) * asked : null;
  return { settled, total, share: total === 0 ? 1 : settled / total, leftMs };
}
