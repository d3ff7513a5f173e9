// Reads a recommendation record from any service (SPEC 4.2), tolerating what real services leave out.
// Without schemas: the browser loads this with its first view.
import { arrayOr, isObject, numberOr, textOr, type Read } from './reading';

/** Hyperparameters as read: a value that the service did not give is null, and is shown as such. */
export interface ReadHyperparameters {
  readonly n_epochs: number | null;
  readonly batch_size: number | null;
  readonly learning_rate_multiplier: number | null;
}

export interface ReadModelRecommendation {
  readonly base_model_id: string;
  readonly recommended: boolean;
  readonly full_hyperparameters: ReadHyperparameters | null;
  readonly lora_hyperparameters: ReadHyperparameters | null;
  readonly reason_for_recommendation: string | null;
}

export interface ReadExperimentRecommendation extends ReadHyperparameters {
  readonly base_model_id: string;
  /** SPEC has `lora: boolean`; a later revision has `training_type`. `null`: the service said neither. */
  readonly training_type: string | null;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
}

/** The record as the dashboard holds it: null lists are empty, an unknown status is kept as it is. */
export interface ReadRecommendation {
  readonly snapshot_id: string;
  readonly status: string;
  readonly recommended_models: readonly ReadModelRecommendation[];
  readonly recommended_experiments: readonly ReadExperimentRecommendation[];
}

function toHyperparameters(value: unknown): ReadHyperparameters | null {
  if (!isObject(value)) return null;
  return {
    n_epochs: numberOr(value['n_epochs'], null),
    batch_size: numberOr(value['batch_size'], null),
    learning_rate_multiplier: numberOr(value['learning_rate_multiplier'], null),
  };
}

function toModel(value: unknown): ReadModelRecommendation[] {
  if (!isObject(value)) return [];
  return [
    {
      base_model_id: textOr(value['base_model_id'], 'unknown'),
      recommended: value['recommended'] === true,
      full_hyperparameters: toHyperparameters(value['full_hyperparameters']),
      lora_hyperparameters: toHyperparameters(value['lora_hyperparameters']),
      reason_for_recommendation: textOr(value['reason_for_recommendation'], null),
    },
  ];
}

function toTrainingType(value: Readonly<Record<string, unknown>>): string | null {
  if (typeof value['training_type'] === 'string') return value['training_type'];
  if (typeof value['lora'] === 'boolean') return value['lora'] ? 'lora' : 'full';
  return null;
}

function toExperiment(value: unknown): ReadExperimentRecommendation[] {
  if (!isObject(value)) return [];
  return [
    {
      base_model_id: textOr(value['base_model_id'], 'unknown'),
      n_epochs: numberOr(value['n_epochs'], null),
      batch_size: numberOr(value['batch_size'], null),
      learning_rate_multiplier: numberOr(value['learning_rate_multiplier'], null),
      training_type: toTrainingType(value),
      recommended: value['recommended'] === true,
      reason_for_recommendation: textOr(value['reason_for_recommendation'], null),
    },
  ];
}

/** Reads a record from any service; only an answer without a status can't be shown. */
export function readRecommendation(body: unknown): Read<ReadRecommendation> {
  if (!isObject(body)) return { ok: false, reason: 'the answer is not an object' };
  const status = body['status'];
  if (typeof status !== 'string') return { ok: false, reason: 'the recommendation has no status' };
  return {
    ok: true,
    value: {
      snapshot_id: textOr(body['snapshot_id'], ''),
      status,
      recommended_models: arrayOr(body['recommended_models']).flatMap(toModel),
      recommended_experiments: arrayOr(body['recommended_experiments']).flatMap(toExperiment),
    },
  };
}
