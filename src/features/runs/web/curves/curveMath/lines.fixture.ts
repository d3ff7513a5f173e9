// Curves for tests.
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';
import { toLine, type Line } from './line.ts';

export function toCurve(
  values: readonly number[],
  { run = 'a', name = 'loss', steps = values.map((_, at) => at), times = null as readonly number[] | null } = {},
): ReadCurve {
  return {
    run_id: run,
    name,
    length: values.length,
    steps: Float64Array.from(steps),
    values: Float64Array.from(values),
    times: times && Float64Array.from(times),
  };
}

/** A line over steps 0, 1, 2... */
export const lineOf = (values: readonly number[], run = 'a'): Line =>
  toLine(toCurve(values, { run }), 'step', { by: null, startedAt: null, lastStep: null });
