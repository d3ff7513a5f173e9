// One curve of the parts that logged it: sessions of a run that was resumed, or programs that wrote at the same time. Pure.
import { Curve } from './curve.ts';
import { isEvaluation, isSummaryFigure } from './metricNames.ts';

type Curves = ReadonlyMap<string, Curve>;

/** How a part follows the ones before it. */
export interface Sequel {
  /** false: an earlier part had not ended when it began, so it repeats nothing. */
  readonly isLater: boolean;
  /** The step from which it trains again what was trained before; Infinity: it does not. */
  readonly resumesAt: number;
  /** The step from which its program says that no older point holds, of any metric; Infinity: it does not say so. */
  readonly purgesFrom: number;
  /** What is added to its steps because they begin again, at least; 0: they do not. */
  readonly offset: number;
}

/** Where a part trains again what earlier ones trained: the first step of a training metric that they have too. */
export function toResumedStep(earlier: readonly Curves[], later: Curves): number {
  let resumed = Infinity;
  for (const [name, { firstStep }] of later) {
    if (firstStep === null || isEvaluation(name) || isSummaryFigure(name)) continue;
    const isAgain = earlier.some((curves) => (curves.get(name)?.lastStep ?? -Infinity) >= firstStep);
    if (isAgain) resumed = Math.min(resumed, firstStep);
  }
  return resumed;
}

/** What leads the first step of a curve that begins again to the step after the last one. */
export function toOffset(before: Curve, first: number): number {
  const { steps } = before.read(0, 2);
  const { lastStep, firstStep } = before;
  if (lastStep === null || firstStep === null || first > firstStep) return 0;
  return lastStep + Math.max(1, (steps[1] ?? 0) - (steps[0] ?? 0)) - first;
}

/**
 * The points of one metric. A part that trains again replaces what it logs itself, from its first step on. One that only
 * evaluates replaces the steps that it evaluated. null: no part has it.
 */
export function joinPoints(
  parts: readonly { readonly curve: Curve | undefined; readonly sequel: Sequel }[],
): Curve | null {
  const found = parts.filter(({ curve }) => (curve?.length ?? 0) > 0);
  if (found.length === 0) return null;
  const joined = new Curve({ replacesRepeats: found.every(({ sequel }) => sequel.isLater) });
  for (const { curve, sequel } of parts) {
    const { isLater, resumesAt, purgesFrom } = sequel;
    if (purgesFrom < Infinity) joined.dropFrom(purgesFrom);
    if (!curve || curve.length === 0) continue;
    const { steps, values, times, length } = curve.read();
    const offset = sequel.offset === 0 ? 0 : Math.max(sequel.offset, toOffset(joined, steps[0] ?? 0));
    const first = (steps[0] ?? 0) + offset;
    const from = Math.min(first, resumesAt);
    if (isLater && (resumesAt < Infinity || first >= (joined.lastStep ?? Infinity))) joined.dropFrom(from);
    for (let at = 0; at < length; at += 1) {
      const time = times?.[at];
      const shown = time === undefined || Number.isNaN(time) ? null : time;
      joined.put((steps[at] ?? 0) + offset, values[at] ?? Number.NaN, shown);
    }
  }
  return joined;
}
