// Makes lines of curves, and makes none of them twice: while runs train, most answers repeat most curves. Pure, but for
// what it remembers.
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';
import { X_METRICS, type XAxis } from './curveView.ts';
import { toLine, type Line, type RunScale } from './line.ts';
import { toSmoothed } from './smoothing.ts';

interface KnownLine {
  readonly axis: XAxis;
  readonly scale: RunScale;
  readonly line: Line;
}

const known = new WeakMap<ReadCurve, KnownLine>();
const smoothed = new WeakMap<Line, { readonly weight: number; readonly line: Line }>();

function toFirstTime(curves: readonly ReadCurve[]): number | null {
  let first = Number.POSITIVE_INFINITY;
  for (const { times } of curves) {
    const time = times?.find((value) => Number.isFinite(value)) ?? Number.POSITIVE_INFINITY;
    if (time < first) first = time;
  }
  return Number.isFinite(first) ? first : null;
}

function toLastStep(curves: readonly ReadCurve[]): number | null {
  const last = Math.max(...curves.flatMap(({ steps }) => steps.at(-1) ?? []));
  return Number.isFinite(last) ? last : null;
}

const isSameScale = (a: RunScale, b: RunScale): boolean =>
  a.by === b.by && a.startedAt === b.startedAt && a.lastStep === b.lastStep;

function toKnownLine(curve: ReadCurve, axis: XAxis, scale: RunScale): Line {
  const last = known.get(curve);
  if (last?.axis === axis && isSameScale(last.scale, scale)) return last.line;
  const line = toLine(curve, axis, scale);
  known.set(curve, { axis, scale, line });
  return line;
}

function toByRun(curves: readonly ReadCurve[]): ReadonlyMap<string, readonly ReadCurve[]> {
  const byRun = new Map<string, ReadCurve[]>();
  for (const curve of curves) {
    const own = byRun.get(curve.run_id);
    if (own) own.push(curve);
    else byRun.set(curve.run_id, [curve]);
  }
  return byRun;
}

/**
 * The lines of all curves, by metric, in the order of `runs`. `whole`: the curves from end to end, which say when a run
 * began and how its epochs and tokens count.
 */
export function toLines(
  curves: readonly ReadCurve[],
  axis: XAxis,
  runs: readonly { readonly id: string }[],
  whole: readonly ReadCurve[] = curves,
): ReadonlyMap<string, readonly Line[]> {
  const byRun = toByRun(curves);
  const wholeByRun = whole === curves ? byRun : toByRun(whole);
  const lines = new Map<string, Line[]>();
  for (const { id } of runs) {
    const ends = wholeByRun.get(id) ?? [];
    const counts = axis === 'epoch' || axis === 'tokens' ? X_METRICS[axis] : [];
    const by = counts.flatMap((name) => ends.find((curve) => curve.name === name) ?? [])[0] ?? null;
    const scale: RunScale = {
      by,
      startedAt: axis === 'elapsed' ? toFirstTime(ends) : null,
      lastStep: axis === 'share' ? toLastStep(ends) : null,
    };
    for (const curve of byRun.get(id) ?? []) {
      const line = toKnownLine(curve, axis, scale);
      const same = lines.get(curve.name);
      if (same) same.push(line);
      else lines.set(curve.name, [line]);
    }
  }
  return lines;
}

export function toSmoothLine(line: Line, weight: number): Line {
  if (weight === 0) return line;
  const last = smoothed.get(line);
  if (last?.weight === weight) return last.line;
  const next = { ...line, values: toSmoothed(line.values, weight) };
  smoothed.set(line, { weight, line: next });
  return next;
}
