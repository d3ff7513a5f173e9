// Words for values that come from runs on nearby data: how many runs, the range that was as good, what to expect. Pure.
// This file only describes; it must not choose anything.
import { JOB_LIMITS } from '#core/contract/limits.ts';
import type { MeasuredSettings, MeasuredValue } from '#features/experiments/shared/measured/measuredSettings.ts';
import type { SnapshotFacts } from './evidence.ts';
import { toRunName } from './evidenceWords.ts';
import { RUN_MINUTES, type Plan } from './hyperparameters.ts';
import { formatShare } from '#core/contract/numberNotation.ts';
import { joinSentences, toCountText, toEpochsText, toRateText } from './reasonText.ts';

export const NOT_MEASURED = 'published rule, not measured here';

const toRunsText = (runs: number): string => `${toCountText(runs)} ${runs === 1 ? 'run' : 'runs'}`;

/** `measured on 36 runs like yours, of 4 tasks`, with what part of them is not from the studio's own tasks. */
function toBasis({ runs, own_runs, tasks }: MeasuredSettings): string {
  const own = own_runs > 0 ? `, ${toCountText(own_runs)} of them your own or imported` : '';
  return `measured on ${toRunsText(runs)} like yours, of ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}${own}`;
}

const toRange = ({ low, high }: MeasuredValue, toText: (value: number) => string): string =>
  low === high ? '' : `, as good from ${toText(low)} to ${toText(high)}`;

/** `93.7 % (90 % to 96 %)`. */
const toShareText = ({ value, low, high }: MeasuredValue): string =>
  `${formatShare(value)}${low === high ? '' : ` (${formatShare(low)} to ${formatShare(high)})`}`;

/** ` with 150 to 2,200 training rows`: more rows than those had reach more. */
function toRowsRange({ tasks }: MeasuredSettings): string {
  const rows = tasks.map(({ best }) => best.facts.rows);
  const [low, high] = [Math.min(...rows), Math.max(...rows)];
  return ` with ${low === high ? '' : `${toCountText(low)} to `}${toCountText(high)} training rows`;
}

function describeExpected(settings: MeasuredSettings): string {
  const { exact_match: share } = settings;
  if (share === null) return '';
  return `The best of those runs, ${toRowsRange(settings).trim()}, answered ${toShareText(share)} of validation rows exactly.`;
}

/** What each value of the plan rests on. Empty where it rests on no run of nearby data. */
export function describeMeasured(plan: Plan): string {
  const { measured, learning_rate } = plan;
  if (measured === null) return '';
  const rate = `rate ${toRateText(learning_rate)} (${toBasis(measured)}${toRange(measured.learning_rate, toRateText)})`;
  return joinSentences(
    // A line of its own, so that the values of both ways can be told apart.
    `\n${measured.lora ? 'LoRA' : 'Full training'}: ${rate}, ${describeBatchAndEpochs(plan, measured)}.`,
    describeExpected(measured),
  );
}

function describeBatchAndEpochs(
  { chosen_run: run, n_epochs, batch_size, is_shortened }: Plan,
  { batch_size: batch, n_epochs: epochs }: MeasuredSettings,
): string {
  if (run !== null) return `batch ${batch_size} and ${toEpochsText(n_epochs)}, to be compared with ${toRunName(run)}`;
  const short = is_shortened
    ? `${toEpochsText(n_epochs)} instead of ${Math.min(epochs.value, JOB_LIMITS.epochs.max)}, which keeps a run at about ${RUN_MINUTES} minutes`
    : toEpochsText(n_epochs);
  return (
    `batch ${batch_size} (measured on the same runs${toRange(batch, String)}), ` +
    `${short} (measured on the same runs${toRange(epochs, String)})`
  );
}

/** What was predicted of the run that decides, and what it reached. Empty where one of both is not known. */
export function describePrediction({ run, expected, measured }: Plan, { snapshot_id }: SnapshotFacts): string {
  const reached = run?.snapshot_id === snapshot_id ? run.held_out['exact_match'] : undefined;
  if (!run || measured !== null || !expected?.exact_match || reached === undefined) return '';
  const way = run.lora ? 'LoRA' : 'full training';
  return (
    `\nPredicted for ${way} from ${toRunsText(expected.runs)} on other data${toRowsRange(expected)}: exact match ` +
    `${toShareText(expected.exact_match)}; reached here: ${formatShare(reached)}.`
  );
}
