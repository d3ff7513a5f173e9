// The curves of the runs on screen, live, with more points of the part that is zoomed into.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { MetricName, ReadCurve } from '#shared/contract/curvesReader.ts';
import { curvesQuery, type CurveQuestion } from '#web/api/runQueries.ts';
import type { CurveRun } from '#web/curves/lines/curveRun.ts';

/** Points of one answer. More would be read and drawn more slowly than they are sent. */
const MOST_POINTS = 600_000;
const MOST_OF_CURVE = 10_000;
const LEAST_OF_CURVE = 300;
/** Most names of one question. */
const MOST_NAMES = 100;
/** A zoom asks for its points once it rests. */
const REST_MS = 250;

export interface StepRange {
  readonly from: number;
  readonly to: number;
}

function toQuestion(runs: readonly CurveRun[], names: readonly string[], range: StepRange | null): CurveQuestion {
  const curves = Math.max(1, runs.length * names.length);
  return {
    runs: runs.map(({ id }) => id),
    names: [...new Set(names)].toSorted().slice(0, MOST_NAMES),
    points: Math.min(MOST_OF_CURVE, Math.max(LEAST_OF_CURVE, Math.floor(MOST_POINTS / curves))),
    ...(range && { from_step: range.from, to_step: range.to }),
  };
}

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

function toNames(lists: readonly (readonly MetricName[])[]): readonly MetricName[] {
  const counts = new Map<string, number>();
  for (const { name, runs } of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + runs);
  return [...counts].map(([name, runs]) => ({ name, runs }));
}

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

/**
 * Runs that train are asked for each second, the others rarely: an answer that is new for one run repeats all its runs.
 * `zoomed`: the steps in view; null: all.
 */
export function useCurves(
  runs: readonly CurveRun[],
  names: readonly string[],
  zoomed: StepRange | null,
): FollowedCurves {
  const [live, settled] = useMemo(
    () => [runs.filter(({ isActive }) => isActive), runs.filter(({ isActive }) => !isActive)],
    [runs],
  );
  const questions = useMemo(
    () => ({ settled: toQuestion(settled, names, null), live: toQuestion(live, names, null) }),
    [settled, live, names],
  );
  const ofSettled = useQuery({ ...curvesQuery(questions.settled, false), placeholderData: keepPreviousData });
  const ofLive = useQuery({ ...curvesQuery(questions.live, true), placeholderData: keepPreviousData });
  const own = useMemo(() => {
    const [first, second] = [
      settled.length > 0 ? ofSettled.data : undefined,
      live.length > 0 ? ofLive.data : undefined,
    ];
    const parts = [...(first ? [first] : []), ...(second ? [second] : [])];
    const ids = new Set(runs.map(({ id }) => id));
    // A run that has just ended may be in both; the newer answer counts.
    const byKey = new Map(parts.flatMap(({ curves }) => curves.map((curve) => [toKey(curve), curve] as const)));
    return {
      curves: [...byKey.values()].filter((curve) => ids.has(curve.run_id)),
      names: toNames(parts.map((part) => part.names)),
    };
  }, [runs, settled, live, ofSettled.data, ofLive.data]);
  const isThinned = own.curves.some(({ length, steps }) => length > steps.length);

  const rested = useRested(isThinned ? zoomed : null);
  const detail = useMemo(() => toQuestion(rested ? runs : [], names, rested), [runs, names, rested]);
  const ofDetail = useQuery({ ...curvesQuery(detail, live.length > 0), enabled: rested !== null && runs.length > 0 });
  const isCovered = rested !== null && zoomed !== null && zoomed.from >= rested.from && zoomed.to <= rested.to;
  const inDetail = isCovered ? ofDetail.data : undefined;
  const curves = useMemo(() => {
    if (!inDetail) return own.curves;
    const detailed = new Map(inDetail.curves.map((curve) => [toKey(curve), curve]));
    return own.curves.map((curve) => detailed.get(toKey(curve)) ?? curve);
  }, [own, inDetail]);

  const queries = [...(settled.length > 0 ? [ofSettled] : []), ...(live.length > 0 ? [ofLive] : [])];
  return {
    curves,
    whole: own.curves,
    names: own.names,
    isPending: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    isThinned,
    onRetry: () => {
      for (const query of queries) void query.refetch();
    },
  };
}
