// The rows of the dialog that starts runs: made from a recommendation or a job, changed, checked, sent. Pure.
import type { ReadJob } from '#core/contract/jobReader.ts';
import {
  findContradiction,
  findRefusedSetting,
  findSettingProblem,
  readChosen,
  SETTING_NAMES,
  toAdapter,
  toRateOf,
  toRequested,
  toSetting,
  withObjective,
  type ChosenSettings,
  type Objective,
} from '#core/contract/trainingSettings.ts';
import type { SettingName } from '#core/contract/trainingLabels.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import {
  TRAINING_TYPES,
  type ChosenHalving,
  type CreateJob,
  type NewExperiment,
  type TrainingType,
} from '#features/training/shared/createJob.ts';
import { countCandidates, findOtherLoss, type OtherLoss } from '#features/training/shared/halving.ts';
import type { TrainingObjectives } from '#features/training/shared/trainingRecords.ts';
import { toAdvice, type Candidate, type Choices } from '#features/experiments/shared/candidates.ts';
import { formatRate } from '#ui/kit/format.ts';
import type { RunSource } from './snapshots.ts';

export interface RunRow {
  /** Unique among the rows. */
  readonly id: number;
  /** Whether it will be started. */
  readonly isOn: boolean;
  readonly base: string;
  readonly type: TrainingType;
  /** undefined: nobody said it. */
  readonly epochs: number | undefined;
  readonly batch: number | undefined;
  readonly rate: number | undefined;
  /** Settings that somebody chose; all others are the trainer's own. */
  readonly chosen: ChosenSettings;
  /** The experiment that it goes on from. */
  readonly from: string | null;
  /** Why the text that was typed last into a field was not taken: the value is not what a person wanted. */
  readonly refused: Readonly<Partial<Record<SweptField | SettingName, string | null>>>;
}

/** Why a trainer can't do a setting, by its name. */
export type RefusedSettings = Readonly<Partial<Record<SettingName, string>>>;

export type RunSettings = Omit<RunRow, 'id' | 'isOn' | 'refused'>;

const toType = (text: string | null): TrainingType => TRAINING_TYPES.find((type) => type === text) ?? 'full';

const number = (rows: readonly RunRow[]): number => Math.max(0, ...rows.map(({ id }) => id)) + 1;

const toRow = (candidate: Candidate, id: number, isOn: boolean): RunRow => ({
  id,
  isOn,
  base: candidate.base_model_id,
  type: toType(candidate.training_type),
  epochs: candidate.n_epochs ?? undefined,
  batch: candidate.batch_size ?? undefined,
  rate: candidate.learning_rate_multiplier ?? undefined,
  chosen: candidate.chosen,
  from: null,
  refused: {},
});

/** More proposals are no table that a person edits. */
const MOST_OFFERED = 20;

/**
 * The proposed runs, or else one of each base model. Those that are recommended and can be trained are ticked; those
 * that can be trained stand first.
 */
export function toOfferedRows(
  { experiments, models }: Choices,
  canTrain: (base: string) => boolean,
): readonly RunRow[] {
  const offered =
    experiments.length > 0
      ? experiments
      : models.flatMap(({ lora, full }) => [lora ?? full].filter((candidate) => candidate !== null));
  const here = offered.filter(({ base_model_id }) => canTrain(base_model_id));
  const others = offered.filter(({ base_model_id }) => !canTrain(base_model_id));
  return [...here, ...others]
    .slice(0, MOST_OFFERED)
    .map((candidate, at) => toRow(candidate, at + 1, candidate.recommended && canTrain(candidate.base_model_id)));
}

/** The runs of a job once more, all of them ticked. */
export const toAgainRows = ({ experiments }: ReadJob): readonly RunRow[] =>
  experiments.map((run, at) => ({
    id: at + 1,
    isOn: true,
    base: run.base_model_id,
    type: toType(run.training_type),
    epochs: run.n_epochs ?? undefined,
    batch: run.batch_size ?? undefined,
    rate: run.learning_rate_multiplier ?? undefined,
    chosen: readChosen(run.chosen_settings),
    from:
      typeof run.extra['refinetune_from_experiment_id'] === 'string'
        ? run.extra['refinetune_from_experiment_id']
        : null,
    refused: {},
  }));

/** An answer that comes after a person has added runs changes none of them, and starts nothing by itself. */
export const withOffer = (rows: readonly RunRow[], offered: readonly RunRow[]): readonly RunRow[] =>
  rows.length === 0
    ? offered
    : [...rows, ...offered.map((row, at) => ({ ...row, id: number(rows) + at, isOn: false }))];

export const toNewRow = (rows: readonly RunRow[], base: string): RunRow => ({
  ...(rows.findLast((row) => row.base === base) ?? {
    type: 'full',
    epochs: 3,
    batch: 8,
    rate: undefined,
    chosen: {},
    from: null,
  }),
  base,
  isOn: true,
  id: number(rows),
  refused: {},
});

/** What can be learnt from a snapshot here; null: not known. */
export type Objectives = Pick<TrainingObjectives, 'objectives' | 'first_run_id'> | null;

export const toObjective = ({ chosen }: Pick<RunRow, 'chosen'>): Objective => chosen.objective ?? 'sft';

/** The row with another objective: with its settings alone, and a rate that fits it. */
export const toRowWithObjective = (row: RunRow, objective: Objective): Pick<RunRow, 'chosen' | 'rate'> => ({
  chosen: withObjective(row.chosen, objective),
  rate: row.rate === undefined ? undefined : toRateOf(row.rate, toObjective(row), objective),
});

/** Rows that a service offers without an objective get one that fits, where single answers can't be learnt. */
export function toFittingRows(rows: readonly RunRow[], found: Objectives): readonly RunRow[] {
  const isOpen = (objective: Objective): boolean =>
    found?.objectives.find((each) => each.objective === objective)?.refusal === null;
  const fitting = isOpen('sft') ? undefined : (['dpo', 'kto'] as const).find(isOpen);
  return fitting === undefined
    ? rows
    : rows.map((row) => (toObjective(row) === 'sft' ? { ...row, ...toRowWithObjective(row, fitting) } : row));
}

/** Runs that learn preferences go on from one that has learnt to answer, if it has their base. */
export const withFirstRun = (
  rows: readonly RunRow[],
  sources: readonly RunSource[],
  found: Objectives,
): readonly RunRow[] => {
  const first = sources.find(({ id }) => id === found?.first_run_id);
  return rows.map((row) =>
    first?.base === row.base && ['dpo', 'kto'].includes(toObjective(row)) ? { ...row, from: first.id } : row,
  );
};

/** One more row at the end, like the last one; `base`: of the first. */
export const withNewRow = (rows: readonly RunRow[], base: string, found: Objectives): readonly RunRow[] => [
  ...rows,
  ...toFittingRows([toNewRow(rows, rows.at(-1)?.base ?? base)], found),
];

/** Puts copies with other settings behind a row. */
export function withCopies(
  rows: readonly RunRow[],
  id: number,
  copies: readonly Partial<RunSettings>[],
): readonly RunRow[] {
  const first = number(rows);
  return rows.flatMap((row) =>
    row.id === id
      ? [row, ...copies.map((copy, at) => ({ ...row, isOn: true, ...copy, id: first + at, refused: {} }))]
      : [row],
  );
}

export const SWEPT = {
  rate: 'Learning rate',
  epochs: 'Epochs',
  batch: 'Batch',
  lora_rank: toSetting('lora_rank').label,
  seed: toSetting('seed').label,
} as const;
export type SweptField = keyof typeof SWEPT;
type SweptSetting = Extract<SweptField, SettingName>;

const isSetting = (field: SweptField): field is SweptSetting => SETTING_NAMES.some((name) => name === field);

/** The row with another value of a field. */
const withValue = (row: RunRow, field: SweptField, value: number | undefined): Partial<RunSettings> =>
  isSetting(field) ? { chosen: { ...row.chosen, [field]: value } } : { [field]: value };

/** Each value once; rates keep the digits that people read. */
const toFactors = (value: number): readonly number[] =>
  [value / 3, value, value * 3].map((rate) => Number(rate.toPrecision(3)));

/** Three seeds, from the row's own on. */
export const toSeeds = ({ chosen: { seed = 1 } }: RunRow): readonly number[] => [seed, seed + 1, seed + 2];

/** `x1/3, x1, x3` of a value, for the field where a sweep is typed. */
export const toSweepText = (row: RunRow, field: SweptField): string => {
  if (field === 'seed') return toSeeds(row).join(', ');
  if (field === 'lora_rank') {
    const { rank } = toAdapter(row.chosen);
    return [Math.max(1, Math.round(rank / 2)), rank, rank * 2].join(', ');
  }
  const value = row[field];
  if (value === undefined) return '';
  if (field === 'rate') return toFactors(value).map(formatRate).join(', ');
  const { min, max } = JOB_LIMITS[field];
  const near = field === 'epochs' ? [value - 1, value, value + 1] : [value / 2, value, value * 2];
  return [...new Set(near.map((one) => Math.min(max, Math.max(min, Math.round(one)))))].join(', ');
};

export type Sweep =
  | { readonly ok: true; readonly values: readonly number[] }
  | { readonly ok: false; readonly message: string };

const MOST_SWEPT = 20;

/** A list of values with commas or spaces between them, each checked; equal ones count once. */
export function parseSweep(text: string, field: SweptField): Sweep {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  if (parts.length === 0) return { ok: false, message: 'Type the values, with commas between them.' };
  if (parts.length > MOST_SWEPT) return { ok: false, message: `At most ${MOST_SWEPT} values at once.` };
  const values: number[] = [];
  for (const part of parts) {
    const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(part) ? Number(part) : Number.NaN;
    const problem = findFieldProblem(field, value);
    if (problem !== null) return { ok: false, message: `${part}: ${problem}` };
    values.push(value);
  }
  return { ok: true, values: [...new Set(values)] };
}

function findFieldProblem(field: SweptField, value: number | undefined): string | null {
  if (isSetting(field)) return findSettingProblem(field, value ?? Number.NaN);
  const { min, max } = JOB_LIMITS[field];
  if (field === 'rate')
    return value !== undefined && value >= min && value <= max
      ? null
      : `the learning rate must be a number from ${min} to ${max}.`;
  return value !== undefined && Number.isInteger(value) && value >= min && value <= max
    ? null
    : `${field === 'batch' ? 'the batch' : 'epochs'} must be a whole number from ${min} to ${max}.`;
}

/** Sets the row to the first value and puts a copy for each other value behind it. */
export function withSweep(
  rows: readonly RunRow[],
  id: number,
  field: SweptField,
  values: readonly number[],
): readonly RunRow[] {
  const [first, ...others] = values;
  const row = rows.find((each) => each.id === id);
  if (row === undefined) return rows;
  const swept = { ...row, isOn: true, ...withValue(row, field, first), refused: {} };
  return withCopies(
    rows.map((each) => (each === row ? swept : each)),
    id,
    others.map((value) => withValue(row, field, value)),
  );
}

type RowField = SweptField | SettingName | 'base';

/** What is wrong, by field. */
export type RowProblems = Readonly<Partial<Record<RowField, string>>>;

/** What was typed and not taken. */
export const findRefused = ({ refused }: RunRow): RowProblems =>
  Object.fromEntries(Object.entries(refused).filter(([, message]) => message != null));

function findValueProblem(row: RunRow, field: 'epochs' | 'batch' | 'rate'): string | undefined {
  const problem = findFieldProblem(field, row[field]);
  return problem === null ? undefined : `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`;
}

/** All that has to be changed before it can be started. `refusals`: of the trainer. */
export function findRowProblems(row: RunRow, refusals: RefusedSettings = {}, found: Objectives = null): RowProblems {
  const misfit = found?.objectives.find(({ objective }) => objective === toObjective(row))?.refusal ?? undefined;
  const odd = findContradiction(row.chosen, row.type === 'full');
  const unable = findRefusedSetting(row.chosen, refusals);
  const problems: { readonly [Field in RowField]?: string | undefined } = {
    base: row.base.trim() === '' ? 'Choose a base model.' : undefined,
    epochs: findValueProblem(row, 'epochs'),
    batch: findValueProblem(row, 'batch'),
    rate: findValueProblem(row, 'rate'),
    objective: misfit,
    ...(unable && { [unable.name]: unable.reason }),
    ...(odd && { [odd.name]: `${toSetting(odd.name).label} ${odd.reason}.` }),
    ...findRefused(row),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

export const isReady = (row: RunRow, refusals: RefusedSettings = {}, found: Objectives = null): boolean =>
  Object.keys(findRowProblems(row, refusals, found)).length === 0;

/** A higher rate was never among the best of any base model that the studio knows. */
const DOUBTFUL_RATE = 0.1;

/** What is doubtful about a learning rate that is allowed; null: nothing. */
export const findRateDoubt = ({ rate = 0 }: RunRow): string | null =>
  rate > DOUBTFUL_RATE && findFieldProblem('rate', rate) === null
    ? `A learning rate of ${formatRate(rate)} almost always diverges: usual are 1e-5 for large models to 0.05 for the smallest.`
    : null;

const toKey = ({ base, type, epochs, batch, rate, chosen, from }: RunRow): string =>
  JSON.stringify([base, type, epochs, batch, rate, SETTING_NAMES.map((name) => chosen[name]), from]);

/** For each ticked row that an earlier ticked one equals: the place of that one, from 1. */
export function findEqualRows(rows: readonly RunRow[]): ReadonlyMap<number, number> {
  const places = new Map<string, number>();
  const equal = new Map<number, number>();
  for (const [at, row] of rows.entries()) {
    if (!row.isOn) continue;
    const place = places.get(toKey(row));
    if (place === undefined) places.set(toKey(row), at + 1);
    else equal.set(row.id, place);
  }
  return equal;
}

/** The rows that will be started: ticked, equal ones once. */
export function toStarted(rows: readonly RunRow[]): readonly RunRow[] {
  const equal = findEqualRows(rows);
  return rows.filter(({ isOn, id }) => isOn && !equal.has(id));
}

const toExperiment = ({ base, type, epochs = 0, batch = 0, rate = 0, chosen, from }: RunRow): NewExperiment => ({
  ...toRequested(chosen),
  base_model_id: base.trim(),
  training_type: type,
  n_epochs: epochs,
  batch_size: batch,
  learning_rate_multiplier: rate,
  refinetune_from_experiment_id: from,
});

/** How many of the rows that will be started differ by more than their seed. */
export const countStartedCandidates = (rows: readonly RunRow[]): number =>
  countCandidates(toStarted(rows).map(toExperiment));

/** Why the rows that will be started can't be compared by their loss; null: they can. */
export const findStartedOtherLoss = (rows: readonly RunRow[]): OtherLoss | null =>
  findOtherLoss(toStarted(rows).map(toExperiment));

/** The body of the request. All rows have their values: see findRowProblem. `launcher` null: this studio, or its workers. */
export const toRequest = (
  snapshotId: string,
  name: string,
  rows: readonly RunRow[],
  halving: ChosenHalving | null = null,
  launcher: string | null = null,
): CreateJob => ({
  snapshot_id: snapshotId,
  name: name.trim(),
  experiments: toStarted(rows).map(toExperiment),
  ...((halving ?? launcher) !== null && {
    studio: { ...(halving && { halving }), ...(launcher !== null && { launcher }) },
  }),
});

/** For the search of runs with the same settings. */
export const toCandidate = (row: RunRow, snapshotId: string): Candidate =>
  toAdvice({
    key: String(row.id),
    origin: 'proposal',
    snapshot_id: snapshotId,
    place: null,
    repeat: 1,
    base_model_id: row.base,
    training_type: row.type,
    recommended: false,
    reason_for_recommendation: null,
    extras: [],
    n_epochs: row.epochs ?? null,
    batch_size: row.batch ?? null,
    learning_rate_multiplier: row.rate ?? null,
    chosen: row.chosen,
  });
