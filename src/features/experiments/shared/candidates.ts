// Candidates: flat records for comparisons and exports. This file makes those of a recommendation (SPEC 2.2);
// runCandidates.ts makes those of runs.
import type {
  ReadHyperparameters,
  ReadModelRecommendation,
  ReadRecommendation,
} from '#core/contract/recommendationReader.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import { toTextHash } from '#core/contract/shortName.ts';
import type { StatusCause } from '#core/contract/statuses.ts';
import { readChosen, withoutAdapter, type ChosenSettings } from '#core/contract/trainingSettings.ts';
import { toExtraParameters, type ExtraParameter } from './extraParameters.ts';

export interface Candidate extends ReadHyperparameters {
  /**
   * Made from the candidate's own fields, so that it stays the same if the service sends another order. Never empty,
   * and unique in its record. With candidates of several records it is the ref of the address (session/runRefs).
   */
  readonly key: string;
  /** model: advice for a base model; proposal: a proposed run; run: an experiment of the tree. */
  readonly origin: 'model' | 'proposal' | 'run';
  /** The snapshot for its training; null if unknown. */
  readonly snapshot_id: string | null;
  /** The name of a run; null for advice and proposals. */
  readonly label: string | null;
  /** The experiment of a run; null for advice and proposals. */
  readonly experiment_id: string | null;
  /** Name of the dataset of its snapshot; null if unknown. */
  readonly dataset: string | null;
  /** Its place in the project, `dataset › job` or `dataset › snapshot`; null if people know it from the context. */
  readonly location: string | null;
  /** The status of a run; null for advice and proposals. */
  readonly status: string | null;
  /** Why a run has its status; null: the status says it. */
  readonly status_cause: StatusCause | null;
  /** The fine-tuned model; null if there is none yet. */
  readonly model_id: string | null;
  /** Place among the proposals on the page, or a run's number in its job; null for advice on a base model. */
  readonly place: number | null;
  /** 2 or more if the service sent the same advice or proposal before; else 1. */
  readonly repeat: number;
  readonly base_model_id: string;
  /** `full`, `lora`, `qlora` or any other text of a newer service; null if the service sent none. */
  readonly training_type: string | null;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
  /** Why a run failed; null if it did not, or the service sent no reason. */
  readonly failure: string | null;
  /** Which validation rows a run answers exactly; null: not known. */
  readonly right_rows: string | null;
  /** Of the settings that most runs leave to the trainer, those that were chosen. */
  readonly chosen: ChosenSettings;
  /** Fields that SPEC does not have, and a run's results. */
  readonly extras: readonly ExtraParameter[];
}

/** Advice for a base model, with a candidate for each training type; null if the service sent no hyperparameters. */
export interface ModelChoice {
  readonly key: string;
  readonly base_model_id: string;
  readonly recommended: boolean;
  readonly reason_for_recommendation: string | null;
  readonly full: Candidate | null;
  readonly lora: Candidate | null;
  /** Fields of the whole advice that SPEC does not have. Those of one training type are in its candidate. */
  readonly extras: readonly ExtraParameter[];
}

export interface Choices {
  readonly models: readonly ModelChoice[];
  readonly experiments: readonly Candidate[];
  /** All candidates in the order of the page. Keys are unique. */
  readonly candidates: readonly Candidate[];
}

/** Recommended entries first, otherwise in the service's order. */
export function toRecommendedFirst<T extends { readonly recommended: boolean }>(entries: readonly T[]): readonly T[] {
  return [...entries.filter((entry) => entry.recommended), ...entries.filter((entry) => !entry.recommended)];
}

/** Makes keys unique: repeated ones get a number. `;` never occurs inside an encoded part. */
function openKeys(): (key: string) => { readonly key: string; readonly repeat: number } {
  const used = new Map<string, number>();
  return (key) => {
    const repeat = (used.get(key) ?? 0) + 1;
    used.set(key, repeat);
    return { key: repeat === 1 ? key : `${key};${repeat}`, repeat };
  };
}

/** The address drops entries beyond 256 characters, so a longer part becomes its start and a hash. */
const MAX_PART = 60;

function toKeyPart(value: string | number | null): string {
  const part = encodeURIComponent(String(value ?? '').replace(/\p{Surrogate}/gu, '\uFFFD'));
  return part.length <= MAX_PART ? part : `${part.slice(0, MAX_PART - 10)}~${toTextHash(part)}`;
}

/** A candidate of a recommendation has no fields of a run. */
export function toAdvice(
  fields: Omit<
    Candidate,
    | 'label'
    | 'experiment_id'
    | 'dataset'
    | 'location'
    | 'status'
    | 'status_cause'
    | 'model_id'
    | 'failure'
    | 'right_rows'
  >,
): Candidate {
  return {
    ...fields,
    label: null,
    experiment_id: null,
    dataset: null,
    location: null,
    status: null,
    status_cause: null,
    model_id: null,
    failure: null,
    right_rows: null,
  };
}

/** A service may propose them beside the fields of SPEC, under the names that a start takes. */
const toChosenOf = (extra: JsonObject, training_type: string | null): ChosenSettings =>
  training_type === 'full' ? withoutAdapter(readChosen(extra)) : readChosen(extra);

function toModelCandidate(
  model: ReadModelRecommendation,
  id: { readonly key: string; readonly repeat: number; readonly snapshot_id: string },
  training_type: 'full' | 'lora',
): Candidate | null {
  const advice = training_type === 'full' ? model.full_hyperparameters : model.lora_hyperparameters;
  if (!advice) return null;
  return toAdvice({
    key: `${id.key}:${training_type}`,
    origin: 'model',
    snapshot_id: id.snapshot_id,
    place: null,
    repeat: id.repeat,
    base_model_id: model.base_model_id,
    training_type,
    n_epochs: advice.n_epochs,
    batch_size: advice.batch_size,
    learning_rate_multiplier: advice.learning_rate_multiplier,
    recommended: model.recommended,
    reason_for_recommendation: model.reason_for_recommendation,
    chosen: toChosenOf(advice.extra, training_type),
    extras: [...toExtraParameters(advice.extra), ...toExtraParameters(model.extra)],
  });
}

/** The candidates of a record. A base model that the service names twice stays twice. */
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
      chosen: toChosenOf(experiment.extra, training_type),
      extras: toExtraParameters(experiment.extra),
    });
  });
  const advised = models.flatMap((model) => [model.full, model.lora].filter((candidate) => candidate !== null));
  return { models, experiments, candidates: [...advised, ...experiments] };
}

const toParametersKey = ({
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
 * The candidates that the service recommends: both training types of recommended models, and recommended experiments.
 * Candidates with equal parameters count once.
 */
export function findRecommended({ candidates }: Choices): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = toParametersKey(candidate);
    if (candidate.recommended && !found.has(key)) found.set(key, candidate);
  }
  return [...found.values()];
}

const toCounted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * What the stars mark, and how many settings that makes: `2 base models, with settings for full and LoRA training, and
 * 2 runs: 5 different settings`; null: nothing is recommended.
 */
export function toRecommendedWords(choices: Choices): string | null {
  const settings = findRecommended(choices);
  if (settings.length === 0) return null;
  const models = choices.models.filter(({ recommended }) => recommended);
  const experiments = choices.experiments.filter(({ recommended }) => recommended).length;
  const types = [
    ...(models.some(({ full }) => full !== null) ? ['full'] : []),
    ...(models.some(({ lora }) => lora !== null) ? ['LoRA'] : []),
  ];
  const ofModels = types.length === 0 ? '' : `, with settings for ${types.join(' and ')} training`;
  const starred = [
    ...(models.length === 0 ? [] : [`${toCounted(models.length, 'base model')}${ofModels}`]),
    ...(experiments === 0 ? [] : [toCounted(experiments, 'run')]),
  ];
  const sum = settings.length === 1 ? '1 setting' : `${settings.length} different settings`;
  return models.length === 0 ? starred.join('') : `${starred.join(', and ')}: ${sum}`;
}
