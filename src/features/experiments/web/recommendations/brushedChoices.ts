// The candidates of a record that match the plot's brush, which is in the address. Pure.
import { matchesBrush, parseBrush } from '#ui/plots/scales/brush.ts';
import type { Candidate, Choices } from '#features/experiments/shared/candidates.ts';
import { toParameters } from '#features/experiments/shared/parameters.ts';
import { toParameterAxes } from '#features/experiments/shared/parameterAxes.ts';

export interface BrushedChoices {
  readonly models: Choices['models'];
  readonly experiments: Choices['experiments'];
  readonly isInside: (candidate: Candidate) => boolean;
}

/** A base model stays while one of its training types is inside the brush. */
export function toBrushedChoices(
  { models, experiments, candidates }: Choices,
  brushList: readonly string[],
): BrushedChoices {
  const brush = parseBrush(brushList);
  const axes = new Map(toParameterAxes(toParameters(candidates)).map((axis) => [axis.id, axis]));
  const isInside = (candidate: Candidate): boolean => matchesBrush(brush, (id) => axes.get(id)?.read({ candidate }));
  // A base model without hyperparameters has a value on one axis only: its own name.
  const isNameInside = (base_model_id: string): boolean =>
    matchesBrush(brush, (id) => (id === 'base_model_id' ? base_model_id : axes.has(id) ? null : undefined));
  return {
    models: models.filter(({ base_model_id, full, lora }) => {
      const offered = [full, lora].filter((candidate) => candidate !== null);
      return offered.length === 0 ? isNameInside(base_model_id) : offered.some(isInside);
    }),
    experiments: experiments.filter(isInside),
    isInside,
  };
}
