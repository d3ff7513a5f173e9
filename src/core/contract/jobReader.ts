// Reads a fine-tuning job from any service: the parameters of its experiments, and their results if the service sends
// them. ASSUMED: not in SPEC. The hosted studio's SDK has the endpoint; the local studio adds fields.
import { ANSWER_SHAPES, type AnswerShape } from './answerShapes.ts';
import {
  arrayOr,
  isObject,
  numberOr,
  readFields,
  textOr,
  toNumberOrNull,
  toTextOrNull,
  toTrainingType,
  type Read,
  type ReadFields,
} from './readJson.ts';
import { toStatusCause } from './statuses.ts';

/** The base model of a run if the service doesn't name it. */
export const UNKNOWN_MODEL = 'unknown';

/** The training loss at one step; steps count from 0. */
export interface LossPoint {
  readonly step: number;
  /** NaN if the service sent null: the loss was not a finite number. */
  readonly loss: number;
}

function toPoint(value: unknown): LossPoint[] {
  if (!isObject(value)) return [];
  const step = numberOr(value['step'], null);
  const loss = value['loss'] === null ? Number.NaN : numberOr(value['loss'], null);
  return step === null || loss === null ? [] : [{ step, loss }];
}

const toLosses = (value: unknown): readonly LossPoint[] =>
  arrayOr(value)
    .flatMap(toPoint)
    .toSorted((a, b) => a.step - b.step);

function toMeasures(value: unknown): Readonly<Record<string, number>> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => numberOr(entry[1], null) !== null));
}

/** Empty if there is no id. Jobs and experiments without an id can't be shown. */
const toId = (value: unknown): string => textOr(value, '');
const toStatus = (value: unknown): string => textOr(value, 'unknown');

/** A missing field is null; missing `losses`, `held_out` and `held_out_base` are empty. */
const EXPERIMENT = {
  id: toId,
  experiment_number: toNumberOrNull,
  base_model_id: (value: unknown): string => textOr(value, UNKNOWN_MODEL),
  /** `full`, `lora` or any text. Read from `training_type` or from `lora`. */
  training_type: toTextOrNull,
  n_epochs: toNumberOrNull,
  batch_size: toNumberOrNull,
  learning_rate_multiplier: toNumberOrNull,
  /** One of EXPERIMENT_STATUSES if the service follows SPEC, else any text; `unknown` if the service sent none. */
  status: toStatus,
  /** One of STATUS_CAUSES; null: none, or one that is not known. */
  status_cause: toStatusCause,
  model_id: toTextOrNull,
  /** Why it failed. */
  failure: toTextOrNull,
  steps: toNumberOrNull,
  seconds: toNumberOrNull,
  first_loss: toNumberOrNull,
  /**
   * Training loss. The local studio sends the mean of the last 20 steps, so it differs from the last point of `losses`.
   */
  last_loss: toNumberOrNull,
  /** How many rows were held out of training for the measures. */
  held_out_rows: toNumberOrNull,
  /** Values on the validation rows by the measure's name. The local studio sends shares from 0 to 1. */
  held_out: toMeasures,
  /** The same measures of the base model, before the training. */
  held_out_base: toMeasures,
  /** Of each measured validation row: `1`, answered exactly; `0`, not. */
  right_rows: toTextOrNull,
  /** How the measured answers were generated: `greedy`, `sampled` or any text. */
  decoding: toTextOrNull,
  /** What was chosen of its settings when it was started; null: it was not started here. */
  chosen_settings: (value: unknown): Readonly<Record<string, unknown>> | null => (isObject(value) ? value : null),
  /** In order of the steps. Long runs are thinned. */
  losses: toLosses,
};

export type ReadJobExperiment = ReadFields<typeof EXPERIMENT>;

/** An experiment of which its job says nothing but the id. */
export const toEmptyExperiment = (id: string): ReadJobExperiment => readFields({ id }, EXPERIMENT);

function toExperiment(value: unknown): ReadJobExperiment[] {
  if (!isObject(value) || toId(value['id']) === '') return [];
  const { lora: _lora, ...fields } = value;
  return [{ ...readFields(fields, EXPERIMENT), training_type: toTrainingType(value) }];
}

/** What successive halving has stopped and saved; null: the job trains all its runs to their ends. */
const toHalving = (value: unknown) =>
  isObject(value)
    ? {
        eta: numberOr(value['eta'], null),
        stopped_early: numberOr(value['stopped_early'], 0),
        seconds: numberOr(value['seconds'], 0),
        seconds_saved: numberOr(value['seconds_saved'], 0),
      }
    : null;

const JOB = {
  id: toId,
  name: toTextOrNull,
  snapshot_id: toTextOrNull,
  status: toStatus,
  /** What the answers of its snapshot are; null if the service doesn't say, or says something else. */
  answer_shape: (value: unknown): AnswerShape | null => ANSWER_SHAPES.find((shape) => shape === value) ?? null,
  /** The measure that a person chose for its dataset. */
  main_measure: toTextOrNull,
  /** The cluster that its runs were given to. */
  launcher: toTextOrNull,
  halving: toHalving,
  experiments: (value: unknown): readonly ReadJobExperiment[] => arrayOr(value).flatMap(toExperiment),
};

export type ReadJob = ReadFields<typeof JOB>;

/** Reads a job from any service. Fails only if the answer is not an object or has no id. */
export function readJob(body: unknown): Read<ReadJob> {
  if (!isObject(body)) return { ok: false, reason: 'the answer is not an object' };
  const job = readFields(body, JOB);
  return job.id === '' ? { ok: false, reason: 'the job has no id' } : { ok: true, value: job };
}
