// Candidates as a table for other programs: CSV and JSON. Pure.
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toCsv } from '#features/experiments/shared/csv.ts';
import type { ParameterValue } from '#features/experiments/shared/delta.ts';
import type { ExportInput } from './exportInput.ts';

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

/** Names of the extra parameters, in order of first occurrence. */
function toExtraNames(candidates: readonly Candidate[]): readonly string[] {
  return [...new Set(candidates.flatMap(({ extras }) => extras.map(({ name }) => name)))];
}

const readExtra = ({ extras }: Candidate, name: string): ParameterValue =>
  extras.find((extra) => extra.name === name)?.value ?? null;

type ReadField = (candidate: Candidate, name: (typeof COLUMNS)[number]) => string | number | boolean | null;

/** Reads fields. A recommendation does not name its dataset, so it comes from a run on the same snapshot. */
function openFields(candidates: readonly Candidate[]): ReadField {
  const datasets = new Map(
    candidates.flatMap(({ snapshot_id, dataset }) =>
      snapshot_id === null || dataset === null ? [] : [[snapshot_id, dataset] as const],
    ),
  );
  return (candidate, name) =>
    candidate[name] ?? (name === 'dataset' ? (datasets.get(candidate.snapshot_id ?? '') ?? null) : null);
}

/** A header, and one line per candidate. A missing value is an empty field. */
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

/** All fields of each candidate, nulls included. */
export function toCandidateJson(input: ExportInput): string {
  const read = openFields(input.candidates);
  const candidates = input.candidates.map((candidate) => ({
    ...Object.fromEntries(COLUMNS.map((name) => [name, read(candidate, name)] as const)),
    ...(candidate.extras.length > 0 && { extras: candidate.extras.map(({ name, value }) => ({ name, value })) }),
  }));
  return JSON.stringify({ snapshot_id: input.snapshot_id, candidates }, null, 2);
}
