// Reads the answer of `POST /api/v1/studio/curves` into typed arrays: 200 curves of 10,000 points stay small and quick.
import type { CurveList, RunCurve } from './runs.ts';

/** One metric of one run, as it was logged. The arrays have one entry for each point that was sent. */
export interface ReadCurve {
  readonly run_id: string;
  readonly name: string;
  /** Points of the whole curve; more than were sent if the service thinned it. */
  readonly length: number;
  readonly steps: Float64Array;
  /** NaN and infinities say where a run diverged. */
  readonly values: Float64Array;
  /** Unix milliseconds, NaN where a point has none; null: no point has a time. */
  readonly times: Float64Array | null;
}

export interface MetricName {
  readonly name: string;
  /** How many of the runs have it. */
  readonly runs: number;
}

export interface ReadCurves {
  /** Sent with the next request: nothing new is answered with 304. */
  readonly version: string;
  readonly curves: readonly ReadCurve[];
  readonly names: readonly MetricName[];
}

function toCurve({ run_id, name, length, steps, values, times }: RunCurve): ReadCurve {
  return {
    run_id,
    name,
    length,
    steps: new Float64Array(steps),
    // `NaN` and infinities are texts in JSON.
    values: new Float64Array(values.map(Number)),
    times: times ? new Float64Array(times.map((time) => time ?? Number.NaN)) : null,
  };
}

export const toCurves = ({ version, curves, names }: CurveList): ReadCurves => ({
  version,
  curves: curves.map(toCurve),
  names,
});
