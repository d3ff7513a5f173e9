// Reads a fine-tuning job from any service: what its experiments were asked to do and, where the service tells,
// what came of it. ASSUMED: not in SPEC; the hosted studio's SDK has the endpoint, the local studio adds fields.
import {
  arrayOr,
  extraFields,
  isObject,
  numberOr,
  textOr,
  toTrainingType,
  type JsonObject,
  type Read,
} from './reading.ts';

/** What a run's base model is called where the service doesn't name one. */
export const UNKNOWN_MODEL = 'unknown';

/** The training loss at one step; steps count from 0. */
export interface LossPoint {
  readonly step: number;
  /** NaN where the service says null: the loss was no finite number there. */
  readonly loss: number;
}

/** An experiment as read: null where the service says nothing, `losses` and `held_out` then empty. */
export interface ReadJobExperiment {
  readonly id: string;
  readonly experiment_number: number | null;
  readonly base_model_id: string;
  /** `full`, `lora` or any text; from `training_type` or from `lora`. */
  readonly training_type: string | null;
  readonly n_epochs: number | null;
  readonly batch_size: number | null;
  readonly learning_rate_multiplier: number | null;
  /** One of EXPERIMENT_STATUSES from a service that follows SPEC; any text otherwise, `unknown` when there is none. */
  readonly status: string;
  readonly model_id: string | null;
  /** Why it failed. */
  readonly failure: string | null;
  readonly steps: number | null;
  readonly seconds: number | null;
  readonly first_loss: number | null;
  /**
   * Training loss: from the local studio the mean of the last 20 steps, so that it differs from the last of `losses`.
   */
  readonly last_loss: number | null;
  /** How many rows were held out of training, to measure on. */
  readonly held_out_rows: number | null;
  /** What was measured on them: the measure's name and its value, a share from 0 to 1 from the local studio. */
  readonly held_out: Readonly<Record<string, number>>;
  /** In the order of the steps; thinned where a run has many. */
  readonly losses: readonly LossPoint[];
  readonly extra: JsonObject;
}

export interface ReadJob {
  readonly id: string;
  readonly name: string | null;
  readonly snapshot_id: string | null;
  readonly status: string;
  readonly experiments: readonly ReadJobExperiment[];
  readonly extra: JsonObject;
}

/** A thing without an id can't be shown: it has no place to be put. */
const idOf = (value: JsonObject): string => textOr(value['id'], '');

function toPoint(value: unknown): LossPoint[] {
  if (!isObject(value)) return [];
  const step = numberOr(value['step'], null);
  const loss = value['loss'] === null ? Number.NaN : numberOr(value['loss'], null);
  return step === null || loss === null ? [] : [{ step, loss }];
}

function toMeasures(value: unknown): Readonly<Record<string, number>> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => numberOr(entry[1], null) !== null));
}

function toExperiment(value: unknown): ReadJobExperiment[] {
  if (!isObject(value) || idOf(value) === '') return [];
  const { lora: _told, ...rest } = value;
  const experiment = {
    id: idOf(value),
    experiment_number: numberOr(value['experiment_number'], null),
    base_model_id: textOr(value['base_model_id'], UNKNOWN_MODEL),
    training_type: toTrainingType(value),
    n_epochs: numberOr(value['n_epochs'], null),
    batch_size: numberOr(value['batch_size'], null),
    learning_rate_multiplier: numberOr(value['learning_rate_multiplier'], null),
    status: textOr(value['status'], 'unknown'),
    model_id: textOr(value['model_id'], null),
    failure: textOr(value['failure'], null),
    steps: numberOr(value['steps'], null),
    seconds: numberOr(value['seconds'], null),
    first_loss: numberOr(value['first_loss'], null),
    last_loss: numberOr(value['last_loss'], null),
    held_out_rows: numberOr(value['held_out_rows'], null),
    held_out: toMeasures(value['held_out']),
    losses: arrayOr(value['losses'])
      .flatMap(toPoint)
      .toSorted((a, b) => a.step - b.step),
  };
  return [{ ...experiment, extra: extraFields(rest, experiment) }];
}

/** Reads a job from any service; only an answer without an id can't be shown. */
export function readJob(body: unknown): Read<ReadJob> {
  if (!isObject(body)) return { ok: false, reason: 'the answer is not an object' };
  if (idOf(body) === '') return { ok: false, reason: 'the job has no id' };
  const job = {
    id: idOf(body),
    name: textOr(body['name'], null),
    snapshot_id: textOr(body['snapshot_id'], null),
    status: textOr(body['status'], 'unknown'),
    experiments: arrayOr(body['experiments']).flatMap(toExperiment),
  };
  return { ok: true, value: { ...job, extra: extraFields(body, job) } };
}
