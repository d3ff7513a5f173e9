// The middle and other ranks of measured values, as the benchmarks quote them.

/** The value at a share of the sorted ones (0 to below 1); NaN where there are none. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;

/** Of an even number of values the upper one of the two in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
