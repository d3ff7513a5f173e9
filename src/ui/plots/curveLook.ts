// Colour and dashes of selected curves: eight colours, then the same dashed, then dotted, so no two of 24 look alike.

const ROUND = 8;
/** Lengths drawn and left out, for each round of the eight colours. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3]];

/** The colour token of a place in the selection. */
export const toSeriesToken = (series: number): string => `--series-${(series % ROUND) + 1}`;

/** 0: the first with its colour; 1, 2: later ones, which also need dashes. */
export const toRound = (series: number): number => Math.floor(series / ROUND) % DASHES.length;

/** A dash, then a dot for each round, so that no two of 24 look alike, and none as a curve of training. */
const HELD_OUT: readonly (readonly number[])[] = DASHES.map((_, round) => [
  8,
  3,
  ...Array.from({ length: round + 1 }, () => [1, 3]).flat(),
]);

/** Empty: a solid line. The same list for the same round. */
export const toRoundDashes = (round: number): readonly number[] => DASHES[round] ?? [];

/** For values on validation rows, beside those of training: they differ without colour. */
export const toHeldOutDashes = (round: number): readonly number[] => HELD_OUT[round] ?? [];

export interface CurveLook {
  readonly stroke: string;
  readonly strokeDasharray: string;
}

/** A curve that is not selected is neutral. */
export function toCurveLook(series: number | null): CurveLook {
  if (series === null) return { stroke: 'var(--soft)', strokeDasharray: 'none' };
  return {
    stroke: `var(${toSeriesToken(series)})`,
    strokeDasharray: toRoundDashes(toRound(series)).join(' ') || 'none',
  };
}
