// How a group of runs got better over time: each run's best value, and the best one until then. Pure.
import { toExtent, type Line } from './line.ts';

export interface BestPoint {
  readonly runId: string;
  /** Best finite value of the run; null: it has none. */
  readonly value: number | null;
  /** Best value of this run and those before; null: none has a value yet. */
  readonly best: number | null;
  /** This run is better than all before it. */
  readonly isRecord: boolean;
  /** Unix milliseconds of the run's first point; null: unknown. */
  readonly startedAt: number | null;
}

function toFirstTime(times: Float64Array | null): number | null {
  const first = times?.find((time) => Number.isFinite(time));
  return first ?? null;
}

/** `lines`: one metric. Runs in the order of their first points; runs without times keep their order, and come first. */
export function toBestSoFar(lines: readonly Line[], better: 'higher' | 'lower'): readonly BestPoint[] {
  const runs = lines.map((line) => {
    const value = toExtent(line.values)[better === 'higher' ? 'high' : 'low'];
    return {
      runId: line.runId,
      value: Number.isFinite(value) ? value : null,
      startedAt: toFirstTime(line.times),
    };
  });
  const ordered = runs.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  let best: number | null = null;
  return ordered.map(({ runId, value, startedAt }) => {
    const isRecord = value !== null && (best === null || (better === 'higher' ? value > best : value < best));
    if (isRecord) best = value;
    return { runId, value, startedAt, best, isRecord };
  });
}
