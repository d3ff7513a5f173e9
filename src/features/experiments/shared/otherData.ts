// The note for losses and measures of different data that are drawn over the same axes.

/**
 * `Runs of 3 datasets: their losses and measures are not comparable.` `datasets`: of each run, its id or name; null if
 * it is not known, which counts as no other dataset. null: all runs are of one dataset.
 */
export function toOtherDataNote(datasets: readonly (string | null)[]): string | null {
  const { size } = new Set(datasets.filter((dataset) => dataset !== null));
  return size < 2 ? null : `Runs of ${size} datasets: their losses and measures are not comparable.`;
}
