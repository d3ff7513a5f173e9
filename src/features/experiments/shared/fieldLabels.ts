// What people read for the fields of runs and recommendations: one record each. A field of another service that has no
// record is shown as it is sent. The API, files and addresses keep the names.
import { SETTING_LABELS } from '#core/contract/trainingLabels.ts';
import { toShownName } from './extraParameters.ts';

interface FieldRecord {
  /** In the API. */
  readonly name: string;
  readonly label: string;
  /** What the label does not say. */
  readonly hint?: string;
}

const RECORDS = [
  { name: 'base_model_id', label: 'Base model' },
  { name: 'training_type', label: 'Training' },
  { name: 'n_epochs', label: 'Epochs' },
  { name: 'batch_size', label: 'Batch' },
  {
    name: 'learning_rate_multiplier',
    label: 'Learning rate multiplier',
    hint: 'the learning rate itself in the local studio; other services multiply a default rate of their own by it',
  },
  {
    name: 'last_loss',
    label: 'Training loss',
    hint: 'mean of the last 20 steps in the local studio, while a curve ends with the loss of one step',
  },
  { name: 'first_loss', label: 'First loss', hint: 'training loss of the first step' },
  { name: 'steps', label: 'Steps' },
  { name: 'seconds', label: 'Time' },
  { name: 'ended_at', label: 'Ended' },
  { name: 'held_out_rows', label: 'Validation rows', hint: 'number of rows that the measures come from' },
  {
    name: 'decoding',
    label: 'Decoding',
    hint: 'how the measured answers were generated: greedy, or sampled at random',
  },
  { name: 'model_id', label: 'Model id' },
  { name: 'failure', label: 'Failure' },
  { name: 'id', label: 'Id' },
  { name: 'batch_in_rows', label: 'Batch in rows' },
  { name: 'optimizer', label: 'Optimizer' },
  { name: 'warmup_steps', label: 'Warm-up steps' },
  { name: 'queue_position', label: 'Place in the queue' },
] as const satisfies readonly FieldRecord[];

export type FieldName = (typeof RECORDS)[number]['name'];

const BY_NAME: ReadonlyMap<string, FieldRecord> = new Map(RECORDS.map((record) => [record.name, record]));

/** Those that a start may choose. */
const SETTINGS: ReadonlyMap<string, string> = new Map(Object.entries(SETTING_LABELS));

const RATE: FieldName = 'learning_rate_multiplier';

/** `isRate`: `learning_rate_multiplier` is the learning rate itself. */
export function toFieldLabel(name: string, isRate = false): string {
  if (name === RATE && isRate) return 'Learning rate';
  const label = BY_NAME.get(name)?.label ?? SETTINGS.get(name);
  return label ?? toShownName(name);
}

/** What the label does not say; undefined: nothing. */
export const toFieldHint = (name: string, isRate = false): string | undefined =>
  name === RATE && isRate ? undefined : BY_NAME.get(name)?.hint;

/** For a tooltip: `Training loss: mean of ... In the API: last_loss.` */
export function toFieldTip({
  id,
  label,
  hint,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
}): string {
  // A column whose name another one has too begins with a `+`.
  const name = toShownName(id.replace(/^\+/, ''));
  return `${label}${hint === undefined ? '' : `: ${hint}`}.${name === label ? '' : ` In the API: ${name}.`}`;
}
