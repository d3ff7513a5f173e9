// Which questions are asked for the curves on screen. Pure.
import type { CurveQuestion } from '#features/runs/web/api/runQueries.ts';

/** As `MAX_CURVES` of the contract: an answer leaves out further curves. */
const MOST_CURVES = 400;
/** Points of all answers. More would be read and drawn more slowly than they are sent. */
const MOST_POINTS = 300_000;
const MOST_OF_CURVE = 10_000;
const LEAST_OF_CURVE = 300;
/** Most names of one question. */
const MOST_NAMES = 100;

export interface StepRange {
  readonly from: number;
  readonly to: number;
}

/** Points of each curve, so that all of them together stay quick. */
export function toPointLimit(curves: number): number {
  return Math.min(MOST_OF_CURVE, Math.max(LEAST_OF_CURVE, Math.floor(MOST_POINTS / Math.max(1, curves))));
}

/** Questions for all curves, the first names first. `range`: the steps in view; null: all. */
export function toQuestions(
  runs: readonly string[],
  names: readonly string[],
  points: number,
  range: StepRange | null,
): readonly CurveQuestion[] {
  if (runs.length === 0) return [];
  const unique = [...new Set(names)];
  const size = Math.min(MOST_NAMES, Math.max(1, Math.floor(MOST_CURVES / runs.length)));
  return Array.from({ length: Math.ceil(unique.length / size) }, (_, part) => ({
    runs: [...runs],
    names: unique.slice(part * size, (part + 1) * size),
    points,
    ...(range && { from_step: range.from, to_step: range.to }),
  }));
}
