// Words for values that come from runs on nearby data: how many runs, the range that was as good, what to expect. Pure.
// This file only describes; it must not choose anything.
import { JOB_LIMITS } from '#shared/contract/limits.ts';
import type { MeasuredSettings, MeasuredValue } from '#shared/training/measured/measuredSettings.ts';
import type { ModeChoice } from './evidence.ts';
import { RUN_MINUTES, type Plan } from './plan.ts';
import { joinSentences, toCountText, toEpochsText, toPercentText, toRateText } from './reasonText.ts';

export const NOT_MEASURED = 'published rule, not measured here';

/** `measured on 36 runs like yours, of 4 tasks`, with what part of them is not from the studio's own tasks. */
function toBasis({ runs, own_runs, tasks }: MeasuredSettings): string {
  const own = own_runs > 0 ? `, ${toCountText(own_runs)} of them your own or imported` : '';
  const count = `${toCountText(runs)} ${runs === 1 ? 'run' : 'runs'}`;
  return `measured on ${count} like yours, of ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}${own}`;
}

const toRange = ({ low, high }: MeasuredValue, toText: (value: number) => string): string =>
  low === high ? '' : `, as good from ${toText(low)} to ${toText(high)}`;

function describeExpected({ exact_match: share }: MeasuredSettings): string {
  if (share === null) return '';
  const range = share.low === share.high ? '' : ` (${toPercentText(share.low)} to ${toPercentText(share.high)})`;
  return `The best of those runs answered ${toPercentText(share.value)} of held-out rows exactly${range}.`;
}

/** What each value of the plan rests on. Empty where it rests on no run of nearby data. */
export function describeMeasured({ measured, n_epochs, batch_size, learning_rate, is_shortened }: Plan): string {
  if (measured === null) return '';
  const { learning_rate: rate, batch_size: batch, n_epochs: epochs } = measured;
  const short = is_shortened
    ? `${toEpochsText(n_epochs)} instead of ${Math.min(epochs.value, JOB_LIMITS.epochs.max)}, which keeps a run at about ${RUN_MINUTES} minutes`
    : toEpochsText(n_epochs);
  return joinSentences(
    `${measured.lora ? 'LoRA' : 'Full training'}: rate ${toRateText(learning_rate)} (${toBasis(measured)}${toRange(rate, toRateText)}), ` +
      `batch ${batch_size} (measured too${toRange(batch, String)}), ${short} (measured too${toRange(epochs, String)}).`,
    describeExpected(measured),
  );
}

/** `on 4 of 4 tasks like yours it was the better, or about as good and cheaper`. */
export function describeNearby({ nearby, isLora }: ModeChoice): string {
  if (nearby === null) return '';
  if (nearby.tasks === 0) return 'it is the one way of training that was tried on tasks like yours';
  const tasks = `${nearby.agreeing} of ${nearby.tasks} ${nearby.tasks === 1 ? 'task' : 'tasks'} like yours`;
  return isLora
    ? `on ${tasks} its held-out loss was at most a tenth above that of full training, and it is cheaper to store and serve`
    : `on ${tasks} its held-out loss was clearly below that of LoRA`;
}
