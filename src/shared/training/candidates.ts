// What can be compared and exported, as flat candidates; here those of a recommendation (SPEC 2.2), runs are in
// runCandidates.
import type {
  ReadHyperparameters,
  ReadModelRecommendation,
  ReadRecommendation,
} from '#shared/contract/recommendationReader.ts';
import { toTextSum } from '#shared/contract/shortName.ts';
import { toExtraParameters, type ExtraParameter } from './extraParameters.ts';

export interface Candidate extends ReadHyperparameters {
  /**
   * Made of what the candidate is, so that it survives a refresh in another order; never empty. Unique in its record;
   * where candidates of several records meet, it is the ref of the address (session/runRefs).
   */
  readonly key: string;
  /** Advice for a base model, a proposed experiment, or an experiment of the tree. */
  readonly origin: 'model' | 'proposal' | 'run';
  /** The snapshot that it is, or was, trained on; null when unknown. */
  readonly snapshot_id: string | null;
  /** A run's own name; null for what is only recommended. */
  readonly label: string | null;
  /** The experiment of the tree that it is; null for what is only recommended. */
  readonly experiment_id: string | null;
  /** Name of the dataset of its snapshot; null when unknown. */
  readonly dataset: string | null;
  /** Where it stands in the project, `dataset › job` or `dataset › snapshot`, as far as that has to be said. */
  readonly home: string | null;
  /** A run's status; null for what is only recommended. */
  readonly status: string | null;
  /** The fine-tuned model, once there is one. */
  readonly model_id: string | null;
  /** Place among the proposed experiments as shown, a run's number in its job; null for advice on a base model. */
  readonly place: number | null;
  /** 2 and more when the service gave advice on the same base model before; else 1. */
  readonly repeat: number;
  readonly base_model_id: string;
  /** `full`, `lora`, `qlora`, any other text from a newer service; null when the service did not say. */
  readonly training_type: string | null;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
  /** Why a run failed; null when it did not, or the service did not say. */
  readonly failure: string | null;
  /** What is known beyond the fields above: fields that SPEC does not have, a run's results. */
  readonly extras: readonly ExtraParameter[];
}

/** A base model with its two ways of training side by side; null where the service gave no hyperparameters. */
export interface ModelChoice {
  readonly key: string;
  readonly base_model_id: string;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
  readonly full: Candidate | null;
  readonly lora: Candidate | null;
  /** Fields that SPEC does not have, of the advice as a whole; those of one way of training are in its candidate. */
  readonly extras: readonly ExtraParameter[];
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

/** The address drops entries beyond 256 characters: a longer id gives its start and a sum over all of it. */
const MAX_PART = 60;

function toKeyPart(value: string | number | null): string {
  const part = encodeURIComponent(String(value ?? '').replace(/\p{Surrogate}/gu, '\uFFFD'));
  return part.length <= MAX_PART ? part : `${part.slice(0, MAX_PART - 10)}~${toTextSum(part)}`;
}

/** Of what is only recommended, nothing is known that a run would have. */
function toAdvice(
  fields: Omit<Candidate, 'label' | 'experiment_id' | 'dataset' | 'home' | 'status' | 'model_id' | 'failure'>,
): Candidate {
  return {
    ...fields,
    label: null,
    experiment_id: null,
    dataset: null,
    home: null,
    status: null,
    model_id: null,
    failure: null,
  };
}

function toModelCandidate(
  model: ReadModelRecommendation,
  id: { readonly key: string; readonly repeat: number; readonly snapshot_id: string },
  training_type: 'full' | 'lora',
): Candidate | null {
  const given = training_type === 'full' ? model.full_hyperparameters : model.lora_hyperparameters;
  if (!given) return null;
  return toAdvice({
    key: `${id.key}:${training_type}`,
    origin: 'model',
    snapshot_id: id.snapshot_id,
    place: null,
    repeat: id.repeat,
    base_model_id: model.base_model_id,
    training_type,
    n_epochs: given.n_epochs,
    batch_size: given.batch_size,
    learning_rate_multiplier: given.learning_rate_multiplier,
    recommended: model.recommended,
    reason_for_recommendation: model.reason_for_recommendation,
    extras: [...toExtraParameters(given.extra), ...toExtraParameters(model.extra)],
  });
}

/** Maps a record to what can be chosen. A base model that the service names twice stays twice. */
export function toChoices(record: ReadRecommendation): Choices {
  const toKey = openKeys();
  const models = toRecommendedFirst(record.recommended_models).map((model): ModelChoice => {
    const id = { ...toKey(`m:${toKeyPart(model.base_model_id)}`), snapshot_id: record.snapshot_id };
    return {
      key: id.key,
      base_model_id: model.base_model_id,
      recommended: model.recommended,
      reason_for_recommendation: model.reason_for_recommendation,
      full: toModelCandidate(model, id, 'full'),
      lora: toModelCandidate(model, id, 'lora'),
      extras: toExtraParameters(model.extra),
    };
  });
  const experiments = toRecommendedFirst(record.recommended_experiments).map((experiment, index): Candidate => {
    const { base_model_id, training_type, n_epochs, batch_size, learning_rate_multiplier } = experiment;
    const parts = [base_model_id, training_type, n_epochs, batch_size, learning_rate_multiplier].map(toKeyPart);
    const { key, repeat } = toKey(`e:${parts.join(':')}`);
    return toAdvice({
      key,
      origin: 'proposal',
      snapshot_id: record.snapshot_id,
      place: index + 1,
      repeat,
      base_model_id,
      training_type,
      n_epochs,
      batch_size,
      learning_rate_multiplier,
      recommended: experiment.recommended,
      reason_for_recommendation: experiment.reason_for_recommendation,
      extras: toExtraParameters(experiment.extra),
    });
  });
  const advised = models.flatMap((model) => [model.full, model.lora].filter((candidate) => candidate !== null));
  return { models, experiments, candidates: [...advised, ...experiments] };
}

const toSameness = ({
  base_model_id,
  training_type,
  n_epochs,
  batch_size,
  learning_rate_multiplier,
  extras,
}: Candidate): string =>
  JSON.stringify([
    base_model_id,
    training_type,
    n_epochs,
    batch_size,
    learning_rate_multiplier,
    extras.map(({ name, value }) => [name, value]),
  ]);

/**
 * What the service itself would take: of a recommended model both ways of training, and the recommended experiments.
 * One that equals another in all parameters counts once.
 */
export function findRecommended({ candidates }: Choices): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const same = toSameness(candidate);
    if (candidate.recommended && !found.has(same)) found.set(same, candidate);
  }
  return [...found.values()];
}
