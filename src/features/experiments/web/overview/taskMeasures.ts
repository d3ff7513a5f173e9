// What the results of a best run say about its task where a loss decides: a loss says how likely the expected answers
// are, not whether the task is done. Pure.
import { isSucceeded } from '#core/contract/statuses.ts';
import { compareByMeasure, toMeasure, toMeasureDoubt, type Measure } from '#features/experiments/shared/measures.ts';
import type { DatasetResult } from '#features/experiments/web/rows/datasetResults.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';

export interface TaskMeasure {
  readonly measure: Measure;
  readonly value: number;
  /** The same of the base model; null: not measured. */
  readonly base: number | null;
  /** A run of the same snapshot with a better value; null: there is none. */
  readonly better: { readonly label: string; readonly value: number } | null;
}

function findBetter(runs: readonly ExperimentRow[], best: ExperimentRow, measure: Measure): TaskMeasure['better'] {
  const valueOf = ({ held_out }: ExperimentRow): number | null => held_out[measure.name] ?? null;
  const [first] = runs
    .filter(({ status, snapshot_id }) => isSucceeded(status) && snapshot_id === best.snapshot_id)
    .toSorted((a, b) => compareByMeasure(measure, valueOf(a), valueOf(b)));
  const value = first && valueOf(first);
  if (first === undefined || value == null) return null;
  return compareByMeasure(measure, value, valueOf(best)) < 0 ? { label: first.label, value } : null;
}

/** Exact match on free text says nothing, and a second loss says nothing new. */
const saysSomething = (measure: Measure, { answer_shape }: DatasetResult): boolean =>
  measure.kind !== 'loss' && !(measure.name === 'exact_match' && toMeasureDoubt(measure, answer_shape) !== null);

/** The other measures of the best run, in the order in which its results name them. Empty where no loss decides. */
export function toTaskMeasures(result: DatasetResult): readonly TaskMeasure[] {
  const { best, main, runs } = result;
  if (best === null || main?.kind !== 'loss') return [];
  return Object.entries(best.held_out).flatMap(([name, value]) => {
    const measure = toMeasure(name);
    if (!saysSomething(measure, result)) return [];
    const base = best.held_out_base[name] ?? null;
    return [{ measure, value, base, better: findBetter(runs, best, measure) }];
  });
}
