// Colour and dashes of what is selected: eight colours, then the same ones dashed, then dotted, so that no two of 24
// look alike.

const ROUND = 8;
/** Lengths drawn and left out, for each round of the eight colours. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3]];

/** The token of a place among the selected. */
export const toSeriesToken = (series: number): string => `--s${(series % ROUND) + 1}`;

/** 0: the first that has its colour; 1, 2: those that need more than it to be told. */
export const toRound = (series: number): number => Math.floor(series / ROUND) % DASHES.length;

/** Empty: drawn through. The same list for the same round. */
export const toRoundDashes = (round: number): readonly number[] => DASHES[round] ?? [];

export interface CurveLook {
  readonly stroke: string;
  readonly strokeDasharray: string;
}

/** A curve without a place among the selected is neutral. */
export function toCurveLook(series: number | null): CurveLook {
  if (series === null) return { stroke: 'var(--soft)', strokeDasharray: 'none' };
  return {
    stroke: `var(${toSeriesToken(series)})`,
    strokeDasharray: toRoundDashes(toRound(series)).join(' ') || 'none',
  };
}
