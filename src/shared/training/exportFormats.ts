// Candidates as text for other programs: the table of formats, CSV and JSON. Pure.
import { findMergedNote, findRunsNote } from './alreadyRun.ts';
import { toAxolotlConfig } from './axolotlConfig.ts';
import type { Candidate } from './candidates.ts';
import {
  findCommandGap,
  findCommandProblem,
  findPayloadGap,
  toCreateCommand,
  toCreatePayload,
} from './createPayload.ts';
import { toCsv } from './csv.ts';
import type { ParameterValue } from './delta.ts';
import type { ExportFormat, ExportInput } from './exportInput.ts';
import { toLlamaFactoryConfig } from './llamaFactoryConfig.ts';
import { findConfigGap, isRateAsked } from './trainingFacts.ts';
import { toTrlConfig } from './trlConfig.ts';
import { toUnslothConfig } from './unslothConfig.ts';

const COLUMNS = [
  'base_model_id',
  'training_type',
  'n_epochs',
  'batch_size',
  'learning_rate_multiplier',
  'recommended',
  'origin',
  'label',
  'experiment_id',
  'status',
  'model_id',
  'dataset',
  'snapshot_id',
  'reason_for_recommendation',
  'failure',
] as const satisfies readonly (keyof Candidate)[];

/** Names of the fields beyond the fixed columns, in first-seen order. */
function toExtraNames(candidates: readonly Candidate[]): readonly string[] {
  return [...new Set(candidates.flatMap(({ extras }) => extras.map(({ name }) => name)))];
}

const readExtra = ({ extras }: Candidate, name: string): ParameterValue =>
  extras.find((extra) => extra.name === name)?.value ?? null;

type ReadField = (candidate: Candidate, name: (typeof COLUMNS)[number]) => string | number | boolean | null;

/** Advice does not say of which dataset its snapshot is; a run on the same snapshot does. */
function openFields(candidates: readonly Candidate[]): ReadField {
  const datasets = new Map(
    candidates.flatMap(({ snapshot_id, dataset }) =>
      snapshot_id === null || dataset === null ? [] : [[snapshot_id, dataset] as const],
    ),
  );
  return (candidate, name) =>
    candidate[name] ?? (name === 'dataset' ? (datasets.get(candidate.snapshot_id ?? '') ?? null) : null);
}

/** One line per candidate under a header line; a value that was not given is an empty field. */
export function toCandidateCsv({ candidates }: ExportInput): string {
  const read = openFields(candidates);
  const extras = toExtraNames(candidates);
  const fixed: ReadonlySet<string> = new Set(COLUMNS);
  const head = [...COLUMNS, ...extras.map((name) => (fixed.has(name) ? `extra.${name}` : name))];
  return toCsv([
    head,
    ...candidates.map((candidate) => [
      ...COLUMNS.map((name) => read(candidate, name)),
      ...extras.map((name) => readExtra(candidate, name)),
    ]),
  ]);
}

/** All that is known of each candidate, nulls included. */
export function toCandidateJson(input: ExportInput): string {
  const read = openFields(input.candidates);
  const candidates = input.candidates.map((candidate) => ({
    ...Object.fromEntries(COLUMNS.map((name) => [name, read(candidate, name)] as const)),
    ...(candidate.extras.length > 0 && { extras: candidate.extras.map(({ name, value }) => ({ name, value })) }),
  }));
  return JSON.stringify({ snapshot_id: input.snapshot_id, candidates }, null, 2);
}

const none = (): null => null;

/** What is left to do begins with what was already done: such an export is no plan alone. */
function toTellingRuns(
  format: ExportFormat,
  findNote: (candidates: readonly Candidate[]) => string | null,
): ExportFormat {
  const findGap = (input: ExportInput): string | null =>
    [findNote(input.candidates), format.findGap(input)].filter((part) => part !== null).join(' ') || null;
  return { ...format, findGap };
}

/** These hold each training once: it would be started twice. */
const STARTING: readonly ExportFormat[] = [
  {
    id: 'create',
    label: 'Fine-tuning create payload (JSON)',
    fileName: 'finetuning-create.json',
    mediaType: 'application/json',
    toText: toCreatePayload,
    findGap: findPayloadGap,
  },
  {
    id: 'curl',
    label: 'curl that starts it',
    fileName: 'finetuning-create.sh',
    mediaType: 'text/x-shellscript',
    toText: toCreateCommand,
    findGap: findCommandGap,
    findProblem: findCommandProblem,
  },
];

const FORMATS: readonly ExportFormat[] = [
  {
    id: 'axolotl',
    label: 'Axolotl (YAML)',
    fileName: 'axolotl.yaml',
    mediaType: 'application/yaml',
    toText: toAxolotlConfig,
    findGap: findConfigGap,
    asks: isRateAsked,
  },
  {
    id: 'llamafactory',
    label: 'LLaMA-Factory (YAML)',
    fileName: 'llamafactory.yaml',
    mediaType: 'application/yaml',
    toText: toLlamaFactoryConfig,
    findGap: findConfigGap,
    asks: isRateAsked,
  },
  {
    id: 'trl',
    label: 'TRL (shell)',
    fileName: 'trl-sft.sh',
    mediaType: 'text/x-shellscript',
    toText: toTrlConfig,
    findGap: findConfigGap,
    asks: isRateAsked,
  },
  {
    id: 'unsloth',
    label: 'Unsloth (notebook cell)',
    fileName: 'unsloth.py',
    mediaType: 'text/x-python',
    toText: toUnslothConfig,
    findGap: findConfigGap,
    asks: isRateAsked,
  },
  { id: 'csv', label: 'CSV', fileName: 'candidates.csv', mediaType: 'text/csv', toText: toCandidateCsv, findGap: none },
  {
    id: 'json',
    label: 'JSON',
    fileName: 'candidates.json',
    mediaType: 'application/json',
    toText: toCandidateJson,
    findGap: none,
  },
];

/** In the order of the menu. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  ...STARTING.map((format) => toTellingRuns(format, findMergedNote)),
  ...FORMATS.map((format) => toTellingRuns(format, findRunsNote)),
];
