// What models of a run give for their time. Pure.
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';

interface Cost {
  readonly model: string;
  readonly rate: number;
  /** Seconds of an answer, in the mean. */
  readonly seconds: number;
}

const toCosts = (models: EvaluationRun['models']): readonly Cost[] =>
  models.flatMap(({ model, done, seconds, rate: { rate } }) =>
    rate === null || done === 0 ? [] : [{ model, rate, seconds: seconds / done }],
  );

/** The models that no other beats in both rate and time; none where all do. */
export function findFront(models: EvaluationRun['models']): ReadonlySet<string> {
  const costs = toCosts(models);
  const front = costs.filter(
    (own) =>
      !costs.some(
        (other) =>
          other.rate >= own.rate &&
          other.seconds <= own.seconds &&
          (other.rate > own.rate || other.seconds < own.seconds),
      ),
  );
  return new Set(front.length === costs.length ? [] : front.map(({ model }) => model));
}
