// The steps of a part of the x axis: the service knows curves by their steps alone. Pure.
import { toPlaces, type Line } from './line.ts';
import type { XRange } from './valueRange.ts';

/** From the first to the last step that any of the lines has in the range; null: none has one. */
export function toStepRange(lines: readonly Line[], { from, to }: XRange): XRange | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const line of lines) {
    const [begin, end] = toPlaces(line, from, to);
    if (end <= begin || (line.xs[0] ?? 0) > to || (line.xs.at(-1) ?? 0) < from) continue;
    first = Math.min(first, line.steps[begin] ?? first);
    last = Math.max(last, line.steps[end - 1] ?? last);
  }
  return first <= last ? { from: Math.floor(first), to: Math.ceil(last) } : null;
}
