// Candidates as text for other programs: a fine-tuning create payload, CSV, JSON.
// Pure; it must not know the clipboard.
import type { Candidate } from './candidates';
import { toCsv } from './csv';

export interface ExportInput {
  readonly snapshot_id: string;
  /** Name for the job that the payload would create. */
  readonly name: string;
  readonly candidates: readonly Candidate[];
}

export interface ExportFormat {
  readonly id: string;
  readonly label: string;
  readonly toText: (input: ExportInput) => string;
  /** What the receiver still has to fill in, as a sentence; null when nothing is missing. */
  readonly findGap: (input: ExportInput) => string | null;
}

type JsonValue = string | number | boolean | null;

/** SPEC 2.2 says `lora`; a later revision's other types have only `training_type`. Not given: neither is sent. */
function toTrainingFields(training_type: string | null): Record<string, JsonValue> {
  if (training_type === null) return {};
  if (training_type === 'full' || training_type === 'lora') return { lora: training_type === 'lora' };
  return { training_type };
}

const NUMBERS = ['batch_size', 'learning_rate_multiplier', 'n_epochs'] as const;

function toPayloadExperiment(candidate: Candidate): Record<string, JsonValue> {
  const given = NUMBERS.filter((name) => candidate[name] !== null).map((name) => [name, candidate[name]] as const);
  return {
    base_model_id: candidate.base_model_id,
    ...Object.fromEntries(given),
    ...toTrainingFields(candidate.training_type),
  };
}

/** ASSUMED: body of `POST /api/v1/public/finetuning/create`, from the origin's SDKs; SPEC has no write endpoint. */
export function toCreatePayload(input: ExportInput): string {
  const { snapshot_id, name, candidates } = input;
  return JSON.stringify({ snapshot_id, name, experiments: candidates.map(toPayloadExperiment) }, null, 2);
}

function findPayloadGap(input: ExportInput): string | null {
  const gaps = input.candidates.flatMap((candidate, index) => {
    const names: string[] = NUMBERS.filter((name) => candidate[name] === null);
    if (candidate.training_type === null) names.push('lora');
    return names.length > 0 ? [`experiments[${index}] (${candidate.base_model_id}): ${names.join(', ')}`] : [];
  });
  return gaps.length > 0 ? `The service gave no value for ${gaps.join('; ')}. Fill it in before you send the payload.` : null;
}

const COLUMNS = [
  'base_model_id',
  'training_type',
  'n_epochs',
  'batch_size',
  'learning_rate_multiplier',
  'recommended',
  'origin',
  'reason_for_recommendation',
] as const;

/** One line per candidate under a header line; a value that was not given is an empty field. */
export function toCandidateCsv(input: ExportInput): string {
  return toCsv([COLUMNS, ...input.candidates.map((candidate) => COLUMNS.map((name) => candidate[name]))]);
}

/** All that is known of each candidate, nulls included. */
export function toCandidateJson(input: ExportInput): string {
  const candidates = input.candidates.map((candidate) =>
    Object.fromEntries(COLUMNS.map((name) => [name, candidate[name]] as const)),
  );
  return JSON.stringify({ snapshot_id: input.snapshot_id, candidates }, null, 2);
}

/** In the order of the menu. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  { id: 'create', label: 'Fine-tuning create payload (JSON)', toText: toCreatePayload, findGap: findPayloadGap },
  { id: 'csv', label: 'CSV', toText: toCandidateCsv, findGap: () => null },
  { id: 'json', label: 'JSON', toText: toCandidateJson, findGap: () => null },
];
