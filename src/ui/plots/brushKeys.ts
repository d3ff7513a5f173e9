// Keys that move the ends of a selected range.
import type { NumberAxis } from '#ui/plots/scales/axes.ts';
import type { AxisBrush } from '#ui/plots/scales/brush.ts';

const MOST_STOPS = 24;

/** Values at which an end stops: the values of the axis if they are few, else its ticks. Ascending. */
export function toStops(axis: NumberAxis): readonly number[] {
  const distinct = new Set<number>();
  for (const value of axis.values) {
    if (typeof value === 'number') distinct.add(value);
    if (distinct.size > MOST_STOPS) return axis.ticks.map((tick) => tick.value);
  }
  return [...distinct].sort((a, b) => a - b);
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 4,
  PageDown: -4,
  Home: -Infinity,
  End: Infinity,
};

/** The stop that is `step` stops away; a value between two stops is one step away from both. */
function move(stops: readonly number[], value: number, step: number): number | null {
  const below = stops.findLastIndex((stop) => stop <= value);
  const above = stops.findIndex((stop) => stop >= value);
  const start = step > 0 ? below : above < 0 ? stops.length : above;
  return stops[Math.min(stops.length - 1, Math.max(0, start + step))] ?? null;
}

/**
 * The axis' selection after a key on one of its ends; undefined for a key that does nothing, null for "all".
 * An end that reaches the outermost value is open; ends don't cross.
 */
export function reduceRangeKey(
  axis: NumberAxis,
  chosen: AxisBrush | undefined,
  end: 'from' | 'to',
  key: string,
): AxisBrush | null | undefined {
  if (key === 'Escape' || key === 'Delete' || key === 'Backspace') return chosen ? null : undefined;
  const step = STEPS[key];
  if (step === undefined) return undefined;
  const from = chosen?.kind === 'range' ? chosen.from : null;
  const to = chosen?.kind === 'range' ? chosen.to : null;
  const moved = move(toStops(axis), (end === 'from' ? from : to) ?? (end === 'from' ? axis.min : axis.max), step);
  if (moved === null) return undefined;
  const next =
    end === 'from' ? { from: Math.min(moved, to ?? axis.max), to } : { from, to: Math.max(moved, from ?? axis.min) };
  const open = {
    from: (next.from ?? -Infinity) <= axis.min ? null : next.from,
    to: (next.to ?? Infinity) >= axis.max ? null : next.to,
  };
  return open.from === null && open.to === null ? null : { kind: 'range', ...open };
}
