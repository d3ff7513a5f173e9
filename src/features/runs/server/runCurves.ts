// The answer to a question for curves: thinned, bounded, with a version that changes when an answer would.
import { createHash } from 'node:crypto';
import { numberOr } from '#core/contract/reading.ts';
import { MAX_CURVES, type CurveList, type CurveRequest, type RunCurve } from '#features/runs/shared/runs.ts';
import { toCurveValue } from './runDetail.ts';
import type { RunRecord } from './runRecords.ts';
import type { JoinedCurve } from './joinedRun.ts';
import { thin } from '#features/runs/shared/settings/thin.ts';

/** Points of a curve if the question doesn't say. */
const POINTS = 1000;
/** Points of all curves of an answer. */
const MAX_POINTS = 1_000_000;

function toCurve(runId: string, curve: JoinedCurve, request: CurveRequest, limit: number): RunCurve {
  const points = curve.read();
  const { steps, values, times } = points.pick(
    thin(points, { limit, from: request.from_step, to: request.to_step }, points.storedValues),
  );
  return {
    run_id: runId,
    name: curve.name,
    length: points.length,
    steps: [...steps],
    values: Array.from(values, toCurveValue),
    ...(times === null ? {} : { times: Array.from(times, (time) => numberOr(time, null)) }),
  };
}

function toVersion(
  request: CurveRequest,
  found: readonly (readonly [string, JoinedCurve])[],
  names: CurveList['names'],
): string {
  const { version: _version, ...question } = request;
  const states = found.map(([id, { name, length, lastStep, format, firstValue, lastValue }]) => [
    id,
    name,
    length,
    lastStep,
    format,
    String(lastValue),
    String(firstValue),
  ]);
  return createHash('sha1')
    .update(JSON.stringify([question, states, names]))
    .digest('base64url');
}

/** null: nothing is new since `request.version`. `records`: the runs that the question names, and that there are. */
export function toCurveList(records: readonly RunRecord[], request: CurveRequest): CurveList | null {
  const wanted = new Set(request.names);
  const counts = new Map<string, number>();
  const found: (readonly [string, JoinedCurve])[] = [];
  for (const { id, run } of records) {
    for (const whole of run.curves().values())
      for (const curve of whole.replaced ? [whole, whole.replaced] : [whole]) {
        counts.set(curve.name, (counts.get(curve.name) ?? 0) + 1);
        if (wanted.has(curve.name) && found.length < MAX_CURVES) found.push([id, curve]);
      }
  }
  const names = [...counts].map(([name, runs]) => ({ name, runs })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const version = toVersion(request, found, names);
  if (request.version === version) return null;
  const limit = Math.min(request.points ?? POINTS, Math.floor(MAX_POINTS / Math.max(1, found.length)));
  return { version, curves: found.map(([id, curve]) => toCurve(id, curve, request, limit)), names };
}
