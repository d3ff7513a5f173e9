// What to train next, from a recommendation, as one sentence. Pure.
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { toChoices, type Candidate } from '#features/experiments/shared/candidates.ts';
import { findBaseModel } from '#features/experiments/shared/baseModels.ts';
import { toRateName } from '#features/experiments/shared/rates.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { formatCounted, formatRate } from '#ui/kit/format.ts';
import { toTextLead } from '#ui/kit/textParts.ts';

export interface NextTraining {
  /** `Full training of support-base at learning rate 1.5e-3, 3 epochs, batch 8`. */
  readonly title: string;
  /** The first sentence of its reason; null: the service gives none. */
  readonly reason: string | null;
  /** What its export holds. */
  readonly candidate: Candidate;
  /** The base model has a name on the hub, so that other trainers can take it. */
  readonly isOnHub: boolean;
}

const toTypeWords = (type: string | null): string =>
  type === 'full' ? 'Full training' : type === null ? 'Training' : (toTrainingWord(type) ?? type);

function toTitle(
  { base_model_id, training_type, learning_rate_multiplier: rate, n_epochs, batch_size }: Candidate,
  isAbsolute: boolean,
): string {
  const settings = [
    ...(rate === null ? [] : [`at ${toRateName(isAbsolute)} ${formatRate(rate)}`]),
    ...(n_epochs === null ? [] : [formatCounted(n_epochs, 'epoch')]),
    ...(batch_size === null ? [] : [`batch ${batch_size}`]),
  ];
  const lead = `${toTypeWords(training_type)} of ${base_model_id}`;
  return [settings[0]?.startsWith('at ') ? `${lead} ${settings.shift()}` : lead, ...settings].join(', ');
}

/**
 * The recommended experiments: those that this studio can train first, then those for elsewhere. `isAbsolute`:
 * `learning_rate_multiplier` is the rate itself.
 */
export function toNextTrainings(record: ReadRecommendation, isAbsolute: boolean): readonly NextTraining[] {
  const found = toChoices(record)
    .experiments.filter(({ recommended }) => recommended)
    .map((candidate) => ({
      title: toTitle(candidate, isAbsolute),
      reason: candidate.reason_for_recommendation ? toTextLead(candidate.reason_for_recommendation).lead : null,
      candidate,
      isOnHub: findBaseModel(candidate.base_model_id).hub !== null,
    }));
  return [...found.filter(({ isOnHub }) => !isOnHub), ...found.filter(({ isOnHub }) => isOnHub)];
}
