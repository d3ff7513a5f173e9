// Which settings run with another seed next. Pure.
import type { SeedRuns } from '#features/experiments/shared/measured/calibration.ts';

/** So many of the best settings of a task run with all seeds: the best of one seed is seldom the best of three. */
const BEST = 4;

/** Of the best settings by their mean loss, the first that has run with fewer seeds; null: they have had all. */
export function toNextSeed(own: readonly SeedRuns[], seeds: number): SeedRuns | null {
  const best = own.toSorted((a, b) => (a.loss ?? Infinity) - (b.loss ?? Infinity)).slice(0, BEST);
  return best.find(({ loss, runs }) => loss !== null && runs.length < seeds) ?? null;
}
