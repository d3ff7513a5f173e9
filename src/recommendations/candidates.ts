// Everything that can be trained next, as one flat list of candidates made from a recommendation (SPEC 2.2).
// It must not know how a candidate looks, nor which ones are being compared.
import type { ReadHyperparameters, ReadModelRecommendation, ReadRecommendation } from '../contract/recommendationReader';

export interface Candidate extends ReadHyperparameters {
  /** Made of what the candidate is, so that it survives a refresh in another order; never empty. */
  readonly key: string;
  /** The list it comes from: advice for a base model, or a ready-made experiment. */
  readonly origin: 'model' | 'experiment';
  /** Place among the experiments as shown, from 1; null for advice on a base model. */
  readonly place: number | null;
  /** 2 and more when the service gave advice on the same base model before; else 1. */
  readonly repeat: number;
  readonly base_model_id: string;
  /** `full`, `lora`, `qlora`, any other text from a newer service; null when the service did not say. */
  readonly training_type: string | null;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
}

/** A base model with its two ways of training side by side; null where the service gave no hyperparameters. */
export interface ModelChoice {
  readonly key: string;
  readonly base_model_id: string;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
  readonly full: Candidate | null;
  readonly lora: Candidate | null;
}

export interface Choices {
  readonly models: readonly ModelChoice[];
  readonly experiments: readonly Candidate[];
  /** Every candidate in the order in which it is shown, keys unique. */
  readonly candidates: readonly Candidate[];
}

/** Recommended entries first; otherwise the service's own order is kept. */
export function toRecommendedFirst<T extends { readonly recommended: boolean }>(entries: readonly T[]): readonly T[] {
  return [...entries.filter((entry) => entry.recommended), ...entries.filter((entry) => !entry.recommended)];
}

/** Gives the second and later use of a key a number; `;` never occurs inside an encoded part. */
function openKeys(): (key: string) => { readonly key: string; readonly repeat: number } {
  const used = new Map<string, number>();
  return (key) => {
    const repeat = (used.get(key) ?? 0) + 1;
    used.set(key, repeat);
    return { key: repeat === 1 ? key : `${key};${repeat}`, repeat };
  };
}

function toKeyPart(value: string | number | null): string {
  return encodeURIComponent(String(value ?? '').replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function toModelCandidate(
  model: ReadModelRecommendation,
  id: { readonly key: string; readonly repeat: number },
  training_type: 'full' | 'lora',
): Candidate | null {
  const given = training_type === 'full' ? model.full_hyperparameters : model.lora_hyperparameters;
  if (!given) return null;
  return {
    key: `${id.key}:${training_type}`,
    origin: 'model',
    place: null,
    repeat: id.repeat,
    base_model_id: model.base_model_id,
    training_type,
    n_epochs: given.n_epochs,
    batch_size: given.batch_size,
    learning_rate_multiplier: given.learning_rate_multiplier,
    recommended: model.recommended,
    reason_for_recommendation: model.reason_for_recommendation,
  };
}

/** Maps a record to what can be chosen. A base model that the service names twice stays twice. */
export function toChoices(record: ReadRecommendation): Choices {
  const toKey = openKeys();
  const models = toRecommendedFirst(record.recommended_models).map((model): ModelChoice => {
    const id = toKey(`m:${toKeyPart(model.base_model_id)}`);
    return {
      key: id.key,
      base_model_id: model.base_model_id,
      recommended: model.recommended,
      reason_for_recommendation: model.reason_for_recommendation,
      full: toModelCandidate(model, id, 'full'),
      lora: toModelCandidate(model, id, 'lora'),
    };
  });
  const experiments = toRecommendedFirst(record.recommended_experiments).map((experiment, index): Candidate => {
    const { base_model_id, training_type, n_epochs, batch_size, learning_rate_multiplier } = experiment;
    const parts = [base_model_id, training_type, n_epochs, batch_size, learning_rate_multiplier].map(toKeyPart);
    const { key, repeat } = toKey(`e:${parts.join(':')}`);
    return {
      key,
      origin: 'experiment',
      place: index + 1,
      repeat,
      base_model_id,
      training_type,
      n_epochs,
      batch_size,
      learning_rate_multiplier,
      recommended: experiment.recommended,
      reason_for_recommendation: experiment.reason_for_recommendation,
    };
  });
  const advised = models.flatMap((model) => [model.full, model.lora].filter((candidate) => candidate !== null));
  return { models, experiments, candidates: [...advised, ...experiments] };
}
