// A run whose curves may be drawn. Pure.
import type { ReadCurve } from '#shared/contract/curvesReader.ts';
import type { LossPoint } from '#shared/contract/jobReader.ts';

export interface CurveRun {
  readonly id: string;
  /** No other run here has it. */
  readonly label: string;
  readonly isActive: boolean;
  /** Its place among the runs chosen in the table, which gives its colour; null: not chosen. */
  readonly chosenPlace: number | null;
}

/** More runs are not drawn unless a person chooses them: their lines would hide each other. */
export const MOST_RUNS = 200;

export interface RunChoice {
  readonly runs: readonly CurveRun[];
  readonly isChosen: boolean;
  /** Runs that would fit the choice, but are too many. */
  readonly left: number;
}

/** The runs chosen in the table if there are any and nobody asked for all; else all below the node. */
export function toRunChoice(all: readonly CurveRun[], wanted: 'chosen' | 'all' | null): RunChoice {
  const chosen = all.filter(({ chosenPlace }) => chosenPlace !== null);
  const isChosen = wanted !== 'all' && chosen.length > 0;
  const fitting = isChosen ? chosen : all;
  const runs = fitting.slice(0, MOST_RUNS);
  return { runs, isChosen, left: fitting.length - runs.length };
}

/** The losses that a job's answer has, as a curve. */
export function toLossCurve(runId: string, losses: readonly LossPoint[]): ReadCurve | null {
  if (losses.length === 0) return null;
  return {
    run_id: runId,
    name: 'loss',
    length: losses.length,
    steps: Float64Array.from(losses, ({ step }) => step),
    values: Float64Array.from(losses, ({ loss }) => loss),
    times: null,
  };
}
