// What all trainers need of a candidate, and notes on what is unknown or unusable.
import { toRunNote } from './alreadyRun.ts';
import { parseModules } from '#core/contract/trainingSettings.ts';
import { findBaseModel, type BaseModel } from './baseModels.ts';
import type { Candidate } from './candidates.ts';
import type { ChatTemplate } from './chatTemplates.ts';
import type { ExportInput } from './exports/exportInput.ts';
import { toComment, toConfigNumber, toQuotedComment } from './configText.ts';
import { toRecipe, type Recipe } from './defaultTrainingSettings.ts';
import { toObjectiveFacts, type ObjectiveFacts } from './objectiveFacts.ts';
import type { RowFiles } from './rowFiles.ts';
import { toRateFact, type RateFact } from './rateFact.ts';
import { toCandidateName } from './trainingWords.ts';

/** A usable value, or why there is none. */
export type Fact = { readonly value: number; readonly note: null } | { readonly value: null; readonly note: string };

export interface TrainingFacts {
  /** Place among the candidates, from 1. */
  readonly place: number;
  readonly name: string;
  readonly snapshot_id: string | null;
  /** Place of its snapshot among those of the export, from 1; null if there is only one. */
  readonly dataPlace: number | null;
  /** Number of validation rows of its snapshot; null if there are none, or the number is unknown. */
  readonly validationCount: number | null;
  /** The files of its rows that the studio offers; null if there are none. */
  readonly rowFiles: RowFiles | null;
  readonly base_model_id: string;
  /** Place of its base model among those without a repository; null if there is only one, or it has a repository. */
  readonly modelPlace: number | null;
  /** null: it is not certain, or the run goes on from the weights of another run, which no repository has. */
  readonly hub: string | null;
  /** See BaseModel.doubt; also which run it goes on from. */
  readonly hubDoubt: string | null;
  /** null if it isn't certain. */
  readonly template: ChatTemplate | null;
  /** All linear matrices as Unsloth names them, or those that were chosen. */
  readonly targetModules: BaseModel['targetModules'];
  /** The matrices that get an adapter; null: all linear ones. */
  readonly chosenModules: readonly string[] | null;
  readonly dropout: number;
  /** Tokens of a row; null: nobody says it. */
  readonly maxLength: number | null;
  /** The training type, if trainers have a counterpart. */
  readonly method: 'full' | 'lora' | 'qlora' | null;
  /** Why `method` is null. */
  readonly methodNote: string | null;
  readonly epochs: Fact;
  readonly batch: Fact;
  readonly rate: RateFact;
  readonly rank: number;
  readonly alpha: number;
  /** Where rank and alpha come from; null if the service sent them. */
  readonly rankNote: string | null;
  /** The settings that services give no advice on. */
  readonly recipe: Recipe;
  readonly objective: ObjectiveFacts;
  /** Comment lines: its runs and their outcome, and why the service recommends it. */
  readonly about: readonly string[];
}

const METHODS = ['full', 'lora', 'qlora'] as const;
const DEFAULT_RANK = 16;

function toFact(value: number | null, isUsable: (value: number) => boolean, wanted: string): Fact {
  if (value === null) return { value: null, note: 'not given' };
  return isUsable(value)
    ? { value, note: null }
    : { value: null, note: `the service gave ${toConfigNumber(value)}, which is not ${wanted}` };
}

/** The value of an extra parameter with one of these names; null if there is none. */
function findExtra({ extras }: Candidate, names: readonly string[]): number | null {
  const found = extras.find(
    ({ name, value }) => names.includes(name) && typeof value === 'number' && Number.isSafeInteger(value) && value > 0,
  );
  return typeof found?.value === 'number' ? found.value : null;
}

/** The value of an extra parameter from 0 to below 1; null: there is none. */
function findShare({ extras }: Candidate, wanted: string): number | null {
  const value = extras.find(({ name }) => name === wanted)?.value;
  return typeof value === 'number' && value >= 0 && value < 1 ? value : null;
}

/** As they were chosen, or as a job writes them down: `q_proj, v_proj`. null: all linear ones. */
function findModules({ chosen, extras }: Candidate): readonly string[] | null {
  if (chosen.target_modules !== undefined) return chosen.target_modules;
  const value = extras.find(({ name }) => name === 'target_modules')?.value;
  const { names, problem } = parseModules(typeof value === 'string' ? value : '');
  return problem === null && names.length > 0 && names[0] !== 'all-linear' ? names : null;
}

function toRankNote(rank: number | null, alpha: number | null): string | null {
  if (rank === null)
    return alpha === null
      ? "the service gave no rank: these are TRL's defaults"
      : "the service gave no rank: it is TRL's default; alpha is the service's";
  return alpha === null ? 'the service gave no alpha: twice the rank is the usual choice' : null;
}

/** Explains steps that a reason mentions. The number of rows is unknown, so the note has only a formula. */
function toStepsNote(candidate: Candidate, epochs: Fact, batch: Fact): readonly string[] {
  if (!/\bsteps?\b/i.test(candidate.reason_for_recommendation ?? '')) return [];
  const { unit } = toObjectiveFacts(candidate);
  const here =
    epochs.value === null || batch.value === null
      ? ''
      : `: about ${toConfigNumber(epochs.value)} x ${unit} / ${batch.value} steps`;
  return [
    toComment(
      'steps in that text are as the service counts them: the local studio packs several rows of its own base ' +
        'model into a sequence',
    ),
    toComment(`this config packs no ${unit}${here}`),
  ];
}

function toAbout(candidate: Candidate, { candidates }: ExportInput, epochs: Fact, batch: Fact): readonly string[] {
  const { reason_for_recommendation: reason, origin } = candidate;
  const note = toRunNote(candidate, candidates);
  const lead =
    `why the service ${candidate.recommended ? 'recommends' : 'lists'} ` +
    `${origin === 'model' ? 'this base model' : 'this'}:`;
  const { note: baseNote } = findBaseModel(candidate.base_model_id);
  return [
    ...(note === null ? [] : [toComment(note)]),
    ...(baseNote === null ? [] : [toComment(`base model: ${baseNote}`)]),
    ...(reason?.trim() ? toQuotedComment(lead, reason) : []),
    ...toStepsNote(candidate, epochs, batch),
  ];
}

/** Numbers the texts in order of first occurrence. A single one needs no number. */
function toNumbers(texts: readonly string[]): (text: string) => number | null {
  const places = [...new Set(texts)];
  return (text) => (places.length < 2 || !places.includes(text) ? null : places.indexOf(text) + 1);
}

type Place = (text: string) => number | null;

/** The weights that a training starts from: those of the base model, or those of the run that it goes on from. */
function findStart(candidate: Candidate): Pick<BaseModel, 'hub' | 'doubt'> {
  const { hub, doubt } = findBaseModel(candidate.base_model_id);
  const from = candidate.extras.find(({ name }) => name === 'refinetune_from_experiment_id')?.value;
  if (typeof from !== 'string' || from === '') return { hub, doubt };
  return {
    hub: null,
    doubt:
      `the run goes on from the weights of experiment ${from}: take those, merged into their base model, ` +
      `not ${hub ?? 'the base model alone'}`,
  };
}

/** What a person has to name, if it has no repository. */
const toStartId = (candidate: Candidate): string => `${candidate.base_model_id} ${findStart(candidate).doubt ?? ''}`;

function findValidationCount(snapshot_id: string | null, { validation }: ExportInput): number | null {
  const count = snapshot_id === null ? undefined : validation.get(snapshot_id);
  return count !== undefined && count > 0 ? count : null;
}

const toSnapshotId = (candidate: Candidate, input: ExportInput): string | null =>
  candidate.snapshot_id ?? input.snapshot_id;

function toFacts(
  candidate: Candidate,
  index: number,
  input: ExportInput,
  toDataPlace: Place,
  toModelPlace: Place,
): TrainingFacts {
  const { training_type } = candidate;
  const method = METHODS.find((known) => known === training_type) ?? null;
  const rank = candidate.chosen.lora_rank ?? findExtra(candidate, ['lora_r', 'lora_rank']);
  const alpha = candidate.chosen.lora_alpha ?? findExtra(candidate, ['lora_alpha']);
  const { template, targetModules } = findBaseModel(candidate.base_model_id);
  const { hub, doubt } = findStart(candidate);
  const chosenModules = findModules(candidate);
  const epochs = toFact(candidate.n_epochs, (value) => Number.isFinite(value) && value > 0, 'a number of epochs');
  const batch = toFact(candidate.batch_size, (size) => Number.isSafeInteger(size) && size > 0, 'a batch size');
  return {
    place: index + 1,
    name: toCandidateName(candidate),
    snapshot_id: toSnapshotId(candidate, input),
    dataPlace: toDataPlace(toSnapshotId(candidate, input) ?? ''),
    validationCount: findValidationCount(toSnapshotId(candidate, input), input),
    rowFiles: input.rowFiles.get(toSnapshotId(candidate, input) ?? '') ?? null,
    base_model_id: candidate.base_model_id,
    modelPlace: toModelPlace(toStartId(candidate)),
    hub,
    hubDoubt: doubt,
    template,
    targetModules: chosenModules ?? targetModules,
    chosenModules,
    dropout: candidate.chosen.lora_dropout ?? findShare(candidate, 'lora_dropout') ?? 0,
    maxLength: candidate.chosen.max_length ?? findExtra(candidate, ['max_length']),
    method,
    methodNote:
      method !== null
        ? null
        : training_type === null || training_type === ''
          ? 'not given'
          : `"${training_type}" has no counterpart here`,
    epochs,
    batch,
    rate: toRateFact(candidate.learning_rate_multiplier, input.rate),
    rank: rank ?? DEFAULT_RANK,
    alpha: alpha ?? (rank ?? DEFAULT_RANK) * 2,
    rankNote: toRankNote(rank, alpha),
    recipe: toRecipe(candidate),
    objective: toObjectiveFacts(candidate),
    about: toAbout(candidate, input, epochs, batch),
  };
}

export function toTrainingFacts(input: ExportInput): readonly TrainingFacts[] {
  const { candidates } = input;
  const toDataPlace = toNumbers(candidates.map((candidate) => toSnapshotId(candidate, input) ?? ''));
  const toModelPlace = toNumbers(
    candidates.flatMap((candidate) => (findStart(candidate).hub === null ? [toStartId(candidate)] : [])),
  );
  return candidates.map((candidate, index) => toFacts(candidate, index, input, toDataPlace, toModelPlace));
}

/** The studio's files of rows that a config reads. */
export const toRowFileNames = ({ rowFiles, validationCount }: TrainingFacts): readonly string[] =>
  rowFiles === null ? [] : [rowFiles.training, ...(validationCount === null ? [] : [rowFiles.validation])];

/** What a person must fill in before using a config: always the data, and what the service did not send. */
export function findConfigGap(input: ExportInput): string | null {
  const facts = toTrainingFacts(input);
  if (facts.length === 0) return null;
  const count = (what: string, isMissing: (fact: TrainingFacts) => boolean): readonly string[] => {
    const missing = facts.filter(isMissing).length;
    if (missing === 0) return [];
    return [facts.length === 1 ? what : `${what} of ${missing === facts.length ? `all ${missing}` : missing}`];
  };
  const gaps = [
    ...(facts.every(({ rowFiles }) => rowFiles !== null) ? [] : ['the training data']),
    ...count('the base model', ({ hub }) => hub === null),
    ...count('the learning rate', ({ rate }) => rate.value === null),
    ...count('the number of epochs', ({ epochs }) => epochs.value === null),
    ...count('the batch size', ({ batch }) => batch.value === null),
    ...count('the way of training', ({ method }) => method === null),
  ];
  const files = [...new Set(facts.flatMap(toRowFileNames))];
  const left =
    gaps.length === 0
      ? null
      : `Fill in ${gaps.length > 1 ? `${gaps.slice(0, -1).join(', ')} and ${gaps.at(-1) ?? ''}` : (gaps[0] ?? '')}: ` +
        'comments say where.';
  const beside = files.length === 0 ? null : `Put ${files.join(' and ')} beside it: the Download menu has them.`;
  return [left, beside].filter((sentence) => sentence !== null).join(' ');
}

/** True if there is no learning rate until a person says what the multiplier means. */
export function needsRateMeaning({ rate, candidates }: ExportInput): boolean {
  return (
    rate.means === 'unknown' &&
    candidates.some(({ learning_rate_multiplier: given }) => given !== null && Number.isFinite(given) && given > 0)
  );
}
