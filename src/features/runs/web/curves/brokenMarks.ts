// Values that are not finite, as marks at the top of a plot: on the page and in the pictures that are saved. Pure.
import { toPixel, type Frame } from '#features/runs/web/curves/curveMath/linePixels.ts';
import type { BrokenMark } from './plotData.ts';

const MARKS: Readonly<Record<BrokenMark['kind'], (x: number) => string>> = {
  NaN: (x) => `M${x - 3} 3l6 6m0 -6l-6 6`,
  Infinity: (x) => `M${x - 3.5} 9l3.5 -6l3.5 6`,
  '-Infinity': (x) => `M${x - 3.5} 3l3.5 6l3.5 -6`,
};
const MARK_GAP = 7;

/** The `d` of an SVG path, 6 pixels high, 3 pixels below 0: a cross for NaN, an arrow for an infinity. */
export const toMarkPath = (kind: BrokenMark['kind'], x: number): string => MARKS[kind](x);

/** Marks of one run that would cover each other are one mark. */
export function toShownMarks(marks: readonly BrokenMark[], frame: Frame) {
  const last = new Map<string, number>();
  return marks.flatMap((mark) => {
    const at = Math.round(toPixel(frame, mark.x));
    const key = `${mark.runId} ${mark.kind}`;
    if (at - (last.get(key) ?? Number.NEGATIVE_INFINITY) < MARK_GAP) return [];
    last.set(key, at);
    return [{ ...mark, at }];
  });
}
