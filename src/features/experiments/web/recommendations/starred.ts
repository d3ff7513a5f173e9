// What the service recommends most of all, one line each: shown before everything else. Pure.
import type { Candidate, Choices } from '#features/experiments/shared/candidates.ts';
import { findHubName } from '#features/experiments/shared/hubNames.ts';
import { findPackedText } from '#features/experiments/shared/packedBatch.ts';
import { toRateName, toRateText } from '#features/experiments/shared/rates.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';

/** More than a few are no answer any more: they stay in the lists. */
const SHOWN = 3;

/** The recommended experiments; of a record that proposes none, one training of each recommended base model. */
export function findStarred({ experiments, models }: Choices): readonly Candidate[] {
  const proposals = experiments.filter(({ recommended }) => recommended);
  const advice = models.flatMap(({ recommended, lora, full }) => (recommended ? [lora ?? full] : []));
  return (experiments.length > 0 ? proposals : advice.filter((candidate) => candidate !== null)).slice(0, SHOWN);
}

/**
 * Where the local studio means a base model to be trained: one that is on the hub is trained elsewhere, its own here.
 */
export const toPlaceWords = (base_model_id: string): string =>
  findHubName(base_model_id) === null ? 'here' : 'on a GPU elsewhere';

/** `LoRA · 3 epochs · batch 8 (8 packed sequences, about 14 rows) · learning rate 2e-3`; unknown values are said. */
export function toSettingsLine(candidate: Candidate, isAbsolute: boolean): string {
  const { training_type, n_epochs, batch_size, learning_rate_multiplier: rate } = candidate;
  const packed = findPackedText(candidate);
  return [
    toTrainingWord(training_type) ?? 'training not given',
    n_epochs === null ? 'epochs not given' : `${n_epochs} ${n_epochs === 1 ? 'epoch' : 'epochs'}`,
    batch_size === null ? 'batch not given' : `batch ${packed ?? batch_size}`,
    `${toRateName(isAbsolute)} ${rate === null ? 'not given' : toRateText(rate).text}`,
  ].join(' · ');
}
