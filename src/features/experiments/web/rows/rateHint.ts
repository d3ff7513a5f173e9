// A likely cause of a failure: a learning rate far above the rates that worked. Pure.
import { toStatusMeaning } from '#core/contract/statuses.ts';
import { toRateName } from '#features/experiments/shared/rates.ts';
import { formatRate } from '#ui/kit/format.ts';
import type { ExperimentRow } from './experimentRows.ts';

/** A rate this many times that of a run that worked is named as a likely reason. */
const FAR_RATE = 10;

/** `Its learning rate 0.2 is 133 times the highest that worked (1.5e-3).`; null if nothing like it worked, or the rate is not far off. */
export function toRateHint(failed: ExperimentRow, rows: readonly ExperimentRow[], isAbsolute: boolean): string | null {
  const rate = failed.learning_rate_multiplier;
  const worked = rows
    .filter(
      (row) =>
        toStatusMeaning(row.status) === 'good' &&
        row.base_model_id === failed.base_model_id &&
        row.training_type === failed.training_type,
    )
    .flatMap(({ learning_rate_multiplier: other }) => (other !== null && other > 0 ? [other] : []))
    .toSorted((a, b) => a - b)
    .at(-1);
  if (rate === null || worked === undefined || rate < worked * FAR_RATE) return null;
  const times = Math.round(rate / worked);
  return `Its ${toRateName(isAbsolute)} ${formatRate(rate)} is ${times} times the highest that worked (${formatRate(worked)}).`;
}
