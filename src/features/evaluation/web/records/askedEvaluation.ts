import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';

/** An evaluation with what a run of it has asked, of one version, and how it is judged, perhaps of another. Pure. */
export const toAskedEvaluation = (
  evaluation: Evaluation,
  { prompt, system, settings, tags }: Evaluation,
  { checks }: Pick<Evaluation, 'checks'>,
): Evaluation => ({ ...evaluation, prompt, system, settings, tags, checks });
