// What models of a run give for their time. Pure.
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { toParetoFront } from '#features/evaluation/shared/statistics/paretoFront.ts';

/** The models that no other beats in both rate and time; none where all do. */
export function findFront(models: EvaluationRun['models']): ReadonlySet<string> {
  const points = models.flatMap(({ model, done, seconds, rate: { rate } }) =>
    rate === null || seconds === null || done === 0 ? [] : [{ id: model, values: [rate, seconds / done] }],
  );
  const front = toParetoFront(points, ['high', 'low']);
  return new Set(front.length === points.length ? [] : front);
}
