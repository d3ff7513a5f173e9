// What a split means for a training. Pure.
import { JOB_LIMITS } from '#core/contract/limits.ts';
import type { Split } from '#features/datasets/shared/contract/datasets.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';

/** What a person should know before the snapshot is made; the worst first. */
export function toSplitNotes({
  training_count,
  validation_count,
  left_out_count,
  leak_count,
  chosen_count,
}: Split): readonly string[] {
  const notes: string[] = [];
  if (training_count < JOB_LIMITS.trainingRows)
    notes.push(
      `A job needs ${JOB_LIMITS.trainingRows} training rows, and this has ${formatCount(training_count)}. Add rows or raise the share.`,
    );
  if (validation_count === 0)
    notes.push('There are no validation rows: no run can be measured on rows that it has not seen.');
  if (leak_count > 0)
    notes.push(
      `${formatCounted(leak_count, 'validation row')} also ${leak_count === 1 ? 'is' : 'are'} in training, because the file ` +
        `says which rows to train on. Measures will look better than they are.`,
    );
  if (chosen_count > 0)
    notes.push(
      `The file says of ${formatCounted(chosen_count, 'row')} whether to train on them; the share is for the others.`,
    );
  if (left_out_count > 0) notes.push(`${formatCounted(left_out_count, 'row')} set aside: in neither split.`);
  return notes;
}
