// The curves of the runs on screen, live, with more points of the part that is zoomed into.
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { MetricName, ReadCurve, ReadCurves } from '#features/runs/shared/curvesReader.ts';
import { curvesQuery } from '#features/runs/web/api/runQueries.ts';
import type { CurveRun } from '#features/runs/web/curves/curveMath/curveRun.ts';
import { toPointLimit, toQuestions, type StepRange } from '#features/runs/web/curves/curveMath/curveRequests.ts';

/** A zoom asks for its points once it rests. */
const REST_MS = 250;

/** The value once it has not changed for a moment; at once where it becomes null. */
function useRested<T>(value: T | null): T | null {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return value === null ? null : rested;
}

const toKey = ({ run_id: run, name }: ReadCurve): string => `${run}\n${name}`;

interface Answers {
  readonly parts: readonly ReadCurves[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

interface QueryResult {
  readonly data: ReadCurves | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

const combine = (results: readonly QueryResult[]): Answers => ({
  parts: results.flatMap(({ data }) => data ?? []),
  isPending: results.some(({ isPending }) => isPending),
  error: results.find(({ error }) => error !== null)?.error ?? null,
  onRetry: () => {
    for (const { refetch } of results) void refetch();
  },
});

interface Known {
  readonly curves: ReadonlyMap<string, ReadCurve>;
  readonly names: readonly MetricName[];
}

const NOTHING: Known = { curves: new Map(), names: [] };

/** The answers name the metrics of their runs, so runs that are asked for in several questions count once. */
function toNames(live: readonly ReadCurves[], settled: readonly ReadCurves[]): readonly MetricName[] {
  const counts = new Map<string, number>();
  for (const { name, runs } of [live[0], settled[0]].flatMap((part) => part?.names ?? []))
    counts.set(name, (counts.get(name) ?? 0) + runs);
  return [...counts].map(([name, runs]) => ({ name, runs }));
}

const byKey = (parts: readonly ReadCurves[]): ReadonlyMap<string, ReadCurve> =>
  new Map(parts.flatMap(({ curves }) => curves.map((curve) => [toKey(curve), curve] as const)));

export interface FollowedCurves {
  /** With more points where the view is zoomed; these curves then begin and end with the view. */
  readonly curves: readonly ReadCurve[];
  /** From end to end. */
  readonly whole: readonly ReadCurve[];
  /** All metrics that the runs have. */
  readonly names: readonly MetricName[];
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Some curves have more points than are here. */
  readonly isThinned: boolean;
  readonly onRetry: () => void;
}

/** How many runs have each metric. The service counts all metrics of the runs that it is asked of, also without their curves. */
function toUnitedNames(given: FollowedCurves, asked: FollowedCurves, ids: ReadonlySet<string>): readonly MetricName[] {
  const counts = new Map(asked.names.map(({ name, runs }) => [name, runs]));
  for (const name of new Set(given.whole.map((curve) => curve.name))) {
    const curves = given.whole.filter((curve) => curve.name === name);
    const both = curves.filter(({ run_id: run }) => ids.has(run)).length;
    counts.set(name, Math.max(counts.get(name) ?? 0, both) + curves.length - both);
  }
  return [...counts].map(([name, runs]) => ({ name, runs }));
}

/** What the service says counts before what is given of the same run. `ids`: the runs that it is asked of. */
export function toUnitedCurves(given: FollowedCurves, asked: FollowedCurves, ids: ReadonlySet<string>): FollowedCurves {
  if (asked.whole.length === 0 && !asked.isPending && asked.error === null) return given;
  const known = new Set(asked.whole.map(toKey));
  const left = given.whole.filter((curve) => !known.has(toKey(curve)));
  const whole = [...asked.whole, ...left];
  return {
    curves: asked.curves === asked.whole ? whole : [...asked.curves, ...left],
    whole,
    names: toUnitedNames(given, asked, ids),
    isPending: given.isPending || asked.isPending,
    error: given.error ?? asked.error,
    isThinned: asked.isThinned,
    onRetry: () => {
      given.onRetry();
      asked.onRetry();
    },
  };
}

/**
 * Runs that train are asked for each second, the others rarely: an answer that is new for one run repeats all its runs.
 * `zoomed`: the steps in view; null: all.
 */
export function useCurves(
  runs: readonly CurveRun[],
  names: readonly string[],
  zoomed: StepRange | null,
): FollowedCurves {
  const [live, settled] = useMemo(() => {
    const ask = (isLive: boolean) =>
      toQuestions(
        runs.filter(({ isActive }) => isActive === isLive).map(({ id }) => id),
        names,
        toPointLimit(runs.length * names.length),
        null,
      );
    return [ask(true), ask(false)];
  }, [runs, names]);
  const ofLive = useQueries({ queries: live.map((question) => curvesQuery(question, true)), combine });
  const ofSettled = useQueries({ queries: settled.map((question) => curvesQuery(question, false)), combine });
  const isPending = ofLive.isPending || ofSettled.isPending;
  const now = useMemo(
    (): Known => ({
      // A run that has just ended may be in both; the live answer is the newer one.
      curves: byKey([...ofSettled.parts, ...ofLive.parts]),
      names: toNames(ofLive.parts, ofSettled.parts),
    }),
    [ofLive.parts, ofSettled.parts],
  );
  // Until new questions are answered, what was there before stays.
  const [last, setLast] = useState(NOTHING);
  if (!isPending && last !== now) setLast(now);
  const own = useMemo(() => {
    const ids = new Set(runs.map(({ id }) => id));
    const merged = isPending ? new Map([...last.curves, ...now.curves]) : now.curves;
    return {
      curves: [...merged.values()].filter((curve) => ids.has(curve.run_id)),
      names: isPending && now.names.length < last.names.length ? last.names : now.names,
    };
  }, [runs, isPending, last, now]);
  const isThinned = own.curves.some(({ length, steps }) => length > steps.length);

  const rested = useRested(isThinned ? zoomed : null);
  const detail = useMemo(
    () =>
      rested === null
        ? []
        : toQuestions(
            runs.map(({ id }) => id),
            names,
            toPointLimit(runs.length * names.length),
            rested,
          ),
    [runs, names, rested],
  );
  const isLive = live.length > 0;
  const ofDetail = useQueries({ queries: detail.map((question) => curvesQuery(question, isLive)), combine });
  const isCovered = rested !== null && zoomed !== null && zoomed.from >= rested.from && zoomed.to <= rested.to;
  const inDetail = isCovered && ofDetail.parts.length > 0 ? ofDetail.parts : null;
  const curves = useMemo(() => {
    if (!inDetail) return own.curves;
    const detailed = byKey(inDetail);
    return own.curves.map((curve) => detailed.get(toKey(curve)) ?? curve);
  }, [own, inDetail]);

  const error = ofLive.error ?? ofSettled.error;
  return useMemo(
    () => ({
      curves,
      whole: own.curves,
      names: own.names,
      isPending,
      error,
      isThinned,
      onRetry: () => {
        ofLive.onRetry();
        ofSettled.onRetry();
      },
    }),
    [curves, own, isPending, error, isThinned, ofLive, ofSettled],
  );
}
