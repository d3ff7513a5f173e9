// Reads the answer of `POST /api/v1/studio/curves` into typed arrays: 200 curves of 10,000 points stay small and quick.
import { arrayOr, failRead, isObject, numberOr, textOr, type Read } from '#core/contract/reading.ts';

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

const SPECIAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

/** A value of a curve: a number, or the text of one that JSON can't express. Anything else is NaN. */
function toValue(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && Object.hasOwn(SPECIAL, value) ? (SPECIAL[value] ?? Number.NaN) : Number.NaN;
}

function toCurve(value: unknown): ReadCurve[] {
  if (!isObject(value)) return [];
  const { run_id: runId, name, steps: sentSteps, values: sentValues, times: sentTimes } = value;
  if (typeof runId !== 'string' || typeof name !== 'string') return [];
  const [steps, values] = [arrayOr(sentSteps), arrayOr(sentValues)];
  const count = Math.min(steps.length, values.length);
  const read = {
    steps: new Float64Array(count),
    values: new Float64Array(count),
    times: Array.isArray(sentTimes) ? new Float64Array(count) : null,
  };
  for (let at = 0; at < count; at += 1) {
    read.steps[at] = toValue(steps[at]);
    read.values[at] = toValue(values[at]);
    if (read.times) read.times[at] = toValue(arrayOr(sentTimes)[at]);
  }
  return [{ run_id: runId, name, length: numberOr(value['length'], count), ...read }];
}

function toName(value: unknown): MetricName[] {
  if (!isObject(value) || typeof value['name'] !== 'string') return [];
  return [{ name: value['name'], runs: numberOr(value['runs'], 0) }];
}

/** Fails only if the answer is no object. Curves without a run or a name are left out. */
export function readCurves(body: unknown): Read<ReadCurves> {
  if (!isObject(body)) return failRead('the answer is not an object');
  return {
    ok: true,
    value: {
      version: textOr(body['version'], ''),
      curves: arrayOr(body['curves']).flatMap(toCurve),
      names: arrayOr(body['names']).flatMap(toName),
    },
  };
}
