// Reads a recommendation record from any service (SPEC 4.2), and tolerates missing fields.
// It uses no schema library: the browser loads this with its first view.
import { readError } from './errors.ts';
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

/** Hyperparameters as read. A missing value is null. */
export interface ReadHyperparameters {
  readonly n_epochs: number | null;
  readonly batch_size: number | null;
  readonly learning_rate_multiplier: number | null;
}

/** One way to train a base model. `extra` holds the fields that SPEC does not have, here and below. */
interface ReadTraining extends ReadHyperparameters {
  readonly extra: JsonObject;
}

export interface ReadModelRecommendation {
  readonly base_model_id: string;
  readonly recommended: boolean;
  readonly full_hyperparameters: ReadTraining | null;
  readonly lora_hyperparameters: ReadTraining | null;
  readonly reason_for_recommendation: string | null;
  readonly extra: JsonObject;
}

interface ReadExperimentRecommendation extends ReadTraining {
  readonly base_model_id: string;
  /** See toTrainingType. */
  readonly training_type: string | null;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
}

/** The record as read. Missing lists are empty, and an unknown status is kept. */
export interface ReadRecommendation {
  readonly snapshot_id: string;
  readonly status: string;
  readonly recommended_models: readonly ReadModelRecommendation[];
  readonly recommended_experiments: readonly ReadExperimentRecommendation[];
  /** Why it failed; null if it did not fail or the service sends no reason. ASSUMED: not in SPEC. */
  readonly error: string | null;
  readonly extra: JsonObject;
}

function toHyperparameters(value: JsonObject): ReadHyperparameters {
  return {
    n_epochs: numberOr(value['n_epochs'], null),
    batch_size: numberOr(value['batch_size'], null),
    learning_rate_multiplier: numberOr(value['learning_rate_multiplier'], null),
  };
}

function toTraining(value: unknown): ReadTraining | null {
  if (!isObject(value)) return null;
  const hyperparameters = toHyperparameters(value);
  return { ...hyperparameters, extra: extraFields(value, hyperparameters) };
}

function toModel(value: unknown): ReadModelRecommendation[] {
  if (!isObject(value)) return [];
  const model = {
    base_model_id: textOr(value['base_model_id'], 'unknown'),
    recommended: value['recommended'] === true,
    full_hyperparameters: toTraining(value['full_hyperparameters']),
    lora_hyperparameters: toTraining(value['lora_hyperparameters']),
    reason_for_recommendation: textOr(value['reason_for_recommendation'], null),
  };
  return [{ ...model, extra: extraFields(value, model) }];
}

function toExperiment(value: unknown): ReadExperimentRecommendation[] {
  if (!isObject(value)) return [];
  const { lora: _lora, ...rest } = value;
  const experiment = {
    ...toHyperparameters(value),
    base_model_id: textOr(value['base_model_id'], 'unknown'),
    training_type: toTrainingType(value),
    recommended: value['recommended'] === true,
    reason_for_recommendation: textOr(value['reason_for_recommendation'], null),
  };
  return [{ ...experiment, extra: extraFields(rest, experiment) }];
}

/** Reads a record from any service. Fails only if the answer is not an object or has no status. */
export function readRecommendation(body: unknown): Read<ReadRecommendation> {
  if (!isObject(body)) return { ok: false, reason: 'the answer is not an object' };
  const { error, ...withoutError } = body;
  const status = body['status'];
  if (typeof status !== 'string') return { ok: false, reason: 'the recommendation has no status' };
  const record = {
    snapshot_id: textOr(body['snapshot_id'], ''),
    status,
    recommended_models: arrayOr(body['recommended_models']).flatMap(toModel),
    recommended_experiments: arrayOr(body['recommended_experiments']).flatMap(toExperiment),
  };
  // `error` as a text is complete in the message; any other form also stays in `extra`.
  const others = typeof error === 'string' || error === null ? withoutError : body;
  const message = error === undefined || error === null ? null : readError({ error }, '').message || null;
  return { ok: true, value: { ...record, error: message, extra: extraFields(others, record) } };
}
