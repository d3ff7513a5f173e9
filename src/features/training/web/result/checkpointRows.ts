// The checkpoints of a run with what was measured at each. Pure.
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';

export interface CheckpointRow {
  readonly step: number;
  readonly savedAt: number;
  /** On the validation rows at this very step; null: not measured there. */
  readonly loss: number | null;
  readonly exactMatch: number | null;
  /** It has the lowest validation loss of all that were measured. */
  readonly isBest: boolean;
  /** What answers with it; null: it is kept to go on from, or is gone. */
  readonly modelId: string | null;
}

/**
 * The newest first. A checkpoint without measures and without a model says nothing, unless it is the newest. `model`: the
 * finished one, which is that of the last step; null: there is none.
 */
export function toCheckpointRows(
  { checkpoints, validations, step: last }: Pick<TrainingProgress, 'checkpoints' | 'validations' | 'step'>,
  model: string | null,
): readonly CheckpointRow[] {
  const measured = new Map(validations.map((each) => [each.step, each]));
  const lossAt = (step: number): number | null => {
    const loss = measured.get(step)?.loss;
    return typeof loss === 'number' ? loss : null;
  };
  const losses = checkpoints.flatMap(({ step }) => lossAt(step) ?? []);
  const lowest = losses.length > 1 ? Math.min(...losses) : null;
  const newest = checkpoints.at(-1)?.step;
  return checkpoints
    .map(({ step, saved_at, model_id }) => ({
      step,
      savedAt: saved_at,
      loss: lossAt(step),
      exactMatch: measured.get(step)?.exact_match ?? null,
      isBest: lowest !== null && lossAt(step) === lowest,
      modelId: step === last && model !== null ? model : model_id,
    }))
    .filter(
      ({ step, loss, exactMatch, modelId }) =>
        step === newest || loss !== null || exactMatch !== null || modelId !== null,
    )
    .toReversed();
}
