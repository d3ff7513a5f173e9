// The curves of the benchmark: losses with noise and spikes, the same in both pages.
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';

export const RUNS = 200;
export const POINTS = 10_000;

/** A repeatable number from 0 to 1. */
function toNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function toBenchCurves(): readonly ReadCurve[] {
  return Array.from({ length: RUNS }, (_, run) => {
    const noise = toNoise(run + 1);
    const floor = 0.2 + noise();
    return {
      run_id: `run-${run}`,
      name: 'loss',
      length: POINTS,
      steps: Float64Array.from({ length: POINTS }, (_step, at) => at),
      values: Float64Array.from(
        { length: POINTS },
        (_value, at) => floor + 3 * Math.exp((-6 * at) / POINTS) + noise() * 0.3 + (noise() < 0.001 ? 4 : 0),
      ),
      times: null,
    };
  });
}
