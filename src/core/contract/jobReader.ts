// Reads a fine-tuning job from any service: the parameters of its experiments, and their results if the service sends
// them. ASSUMED: not in SPEC. The hosted studio's SDK has the endpoint; the local studio adds fields.
import { ANSWER_SHAPES, type AnswerShape } from './answerShapes.ts';
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
import { toStatusCause, type StatusCause } from './statuses.ts';

/** The base model of a run if the service doesn't name it. */
export const UNKNOWN_MODEL = 'unknown';

/** The training loss at one step; steps count from 0. */
export interface LossPoint {
  readonly step: number;
  /** NaN if the service sent null: the loss was not a finite number. */
  readonly loss: number;
}

/** An experiment as read. A missing field is null; missing `losses`, `held_out` and `held_out_base` are empty. */
export interface ReadJobExperiment {
  readonly id: string;
  readonly experiment_number: number | null;
  readonly base_model_id: string;
  /** `full`, `lora` or any text. Read from `training_type` or from `lora`. */
  readonly training_type: string | null;
  readonly n_epochs: number | null;
  readonly batch_size: number | null;
  readonly learning_rate_multiplier: number | null;
  /** One of EXPERIMENT_STATUSES if the service follows SPEC, else any text; `unknown` if the service sent none. */
  readonly status: string;
  /** One of STATUS_CAUSES; null: none, or one that is not known. */
  readonly status_cause: StatusCause | null;
  readonly model_id: string | null;
  /** Why it failed. */
  readonly failure: string | null;
  readonly steps: number | null;
  readonly seconds: number | null;
  readonly first_loss: number | null;
  /**
   * Training loss. The local studio sends the mean of the last 20 steps, so it differs from the last point of `losses`.
   */
  readonly last_loss: number | null;
  /** How many rows were held out of training for the measures. */
  readonly held_out_rows: number | null;
  /** Values on the validation rows by the measure's name. The local studio sends shares from 0 to 1. */
  readonly held_out: Readonly<Record<string, number>>;
  /** The same measures of the base model, before the training. Empty if the service doesn't send them. */
  readonly held_out_base: Readonly<Record<string, number>>;
  /** How the measured answers were generated: `greedy`, `sampled` or any text. */
  readonly decoding: string | null;
  /** In order of the steps. Long runs are thinned. */
  readonly losses: readonly LossPoint[];
  readonly extra: JsonObject;
}

export interface ReadJob {
  readonly id: string;
  readonly name: string | null;
  readonly snapshot_id: string | null;
  readonly status: string;
  /** What the answers of its snapshot are; null if the service doesn't say, or says something else. */
  readonly answer_shape: AnswerShape | null;
  /** The measure that a person chose for its dataset. */
  readonly main_measure: string | null;
  readonly experiments: readonly ReadJobExperiment[];
  readonly extra: JsonObject;
}

/** Empty if there is no id. Jobs and experiments without an id can't be shown. */
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
  const { lora: _lora, ...rest } = value;
  const experiment = {
    id: idOf(value),
    experiment_number: numberOr(value['experiment_number'], null),
    base_model_id: textOr(value['base_model_id'], UNKNOWN_MODEL),
    training_type: toTrainingType(value),
    n_epochs: numberOr(value['n_epochs'], null),
    batch_size: numberOr(value['batch_size'], null),
    learning_rate_multiplier: numberOr(value['learning_rate_multiplier'], null),
    status: textOr(value['status'], 'unknown'),
    status_cause: toStatusCause(value['status_cause']),
    model_id: textOr(value['model_id'], null),
    failure: textOr(value['failure'], null),
    steps: numberOr(value['steps'], null),
    seconds: numberOr(value['seconds'], null),
    first_loss: numberOr(value['first_loss'], null),
    last_loss: numberOr(value['last_loss'], null),
    held_out_rows: numberOr(value['held_out_rows'], null),
    held_out: toMeasures(value['held_out']),
    held_out_base: toMeasures(value['held_out_base']),
    decoding: textOr(value['decoding'], null),
    losses: arrayOr(value['losses'])
      .flatMap(toPoint)
      .toSorted((a, b) => a.step - b.step),
  };
  return [{ ...experiment, extra: extraFields(rest, experiment) }];
}

/** Reads a job from any service. Fails only if the answer is not an object or has no id. */
export function readJob(body: unknown): Read<ReadJob> {
  if (!isObject(body)) return { ok: false, reason: 'the answer is not an object' };
  if (idOf(body) === '') return { ok: false, reason: 'the job has no id' };
  const job = {
    id: idOf(body),
    name: textOr(body['name'], null),
    snapshot_id: textOr(body['snapshot_id'], null),
    status: textOr(body['status'], 'unknown'),
    answer_shape: ANSWER_SHAPES.find((shape) => shape === body['answer_shape']) ?? null,
    main_measure: textOr(body['main_measure'], null),
    experiments: arrayOr(body['experiments']).flatMap(toExperiment),
  };
  return { ok: true, value: { ...job, extra: extraFields(body, job) } };
}
