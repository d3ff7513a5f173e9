// For tests: the lines of a small project's file, with a record of each kind.
import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { RecordKind, RecordOf, TransferRecord } from './records.ts';

const AT = '2026-11-23T10:00:00.000Z';
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const IDS = {
  project: idOf(1),
  dataset: idOf(2),
  snapshot: idOf(3),
  job: idOf(4),
  experiment: idOf(5),
  evaluation: idOf(6),
};
const MODEL = 'ft-base-00000000';

const chat = (question: string): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: 'Yes.' },
    ],
  });

const FILE = Buffer.from('GGUF, or so');

type Bodies = { [Kind in Exclude<RecordKind, 'end'>]: Omit<RecordOf<Kind>, 'kind'> };

/** In the order of a file. */
const BODIES: Bodies = {
  manifest: {
    format: 'model-studio-project',
    version: 1,
    exported_at: AT,
    project_id: IDS.project,
    name: 'Desk',
    rows: 3,
    model_bytes: FILE.length,
  },
  project: { id: IDS.project, name: 'Desk', goal: null, created_at: AT },
  dataset: {
    id: IDS.dataset,
    position: 0,
    label: 'Tickets',
    datapoints_count: 3,
    main_measure: null,
    form: 'chat',
    digest: null,
    bad_line_count: 1,
    bad_lines: [{ line: 4, column: 1, message: 'The line is no JSON.', start: '{' }],
    created_at: AT,
  },
  rows: {
    dataset_id: IDS.dataset,
    first: 0,
    rows: [
      { text: chat('One?') },
      { text: chat('Two?'), original: '{"q":"Two?"}', bucket: 'validation' },
      { text: chat('3') },
    ],
  },
  marks: {
    dataset_id: IDS.dataset,
    marks: [{ position: 1, is_set_aside: true, tags: ['odd'], edited: chat('Deux?') }],
  },
  snapshot: {
    id: IDS.snapshot,
    dataset_id: IDS.dataset,
    position: 0,
    label: 'Snapshot 1',
    rows_end: 3,
    training_count: 2,
    validation_count: 1,
    answer_shape: 'text',
    created_at: AT,
  },
  frozen: { snapshot_id: IDS.snapshot, sides: deflateRawSync(Uint8Array.of(1, 2, 1)).toString('base64') },
  'frozen-texts': { snapshot_id: IDS.snapshot, texts: [[1, chat('Deux?')]] },
  recommendation: {
    snapshot_id: IDS.snapshot,
    status: 'failed',
    attempts: 1,
    error: 'Too few rows.',
    body: null,
    started_at: AT,
    finished_at: AT,
  },
  job: {
    id: IDS.job,
    snapshot_id: IDS.snapshot,
    position: 0,
    label: 'First',
    status: 'completed',
    reasoning: false,
    created_at: AT,
  },
  experiment: {
    id: IDS.experiment,
    job_id: IDS.job,
    experiment_number: 1,
    label: 'Run 1',
    status: 'succeeded',
    base_model_id: 'base',
    model_id: MODEL,
    lora: false,
    n_epochs: 1,
    batch_size: 8,
    learning_rate_multiplier: 0.001,
    steps: 10,
    seconds: 1.5,
    first_loss: 2,
    last_loss: 'NaN',
    held_out: { exact_match: 0.5, rows: 10 },
    held_out_base: null,
    settings: { seed: 7 },
    losses: [[1, 2]],
    failure: null,
    created_at: AT,
  },
  training: {
    experiment_id: IDS.experiment,
    training_type: 'full',
    refinetune_from: null,
    seed: 7,
    chosen: { seed: 7, weight_decay: 0.1, target_modules: ['q_proj'] },
    reason: null,
    step: 10,
    steps: 10,
    tokens_per_step: 100,
    rows_cut: 0,
    rows_left_out: null,
    stride: 1,
    seconds: 1.5,
    log_size: 3,
    started_at: AT,
    ended_at: AT,
  },
  points: {
    experiment_id: IDS.experiment,
    points: [
      {
        step: 1,
        at: AT,
        loss: 'NaN',
        epoch: 0.1,
        learning_rate: 0.001,
        gradient_norm: null,
        tokens_per_second: null,
        metrics: { 'rewards/margins': 0.25 },
      },
    ],
  },
  validation: {
    experiment_id: IDS.experiment,
    step: 10,
    at: AT,
    loss: 0.5,
    exact_match: null,
    metrics: { 'rewards/accuracies': 0.75 },
    answers: [{ prompt: 'p', expected: 'e', answer: 'a', is_right: null }],
  },
  checkpoint: { experiment_id: IDS.experiment, step: 10, at: AT, model_id: null },
  log: { experiment_id: IDS.experiment, starts_at: 0, body: 'log' },
  model: {
    id: MODEL,
    experiment_id: IDS.experiment,
    form: 'whole',
    base: 'base',
    base_file: null,
    aliases: [],
    about: 'Mine.',
    created_at: AT,
    file: { name: `models/${MODEL}.gguf`, bytes: FILE.length },
  },
  file: { model_id: MODEL, format: null, bytes: FILE.length },
  part: { data: FILE.toString('base64') },
  'file-end': { sha256: createHash('sha256').update(FILE).digest('hex') },
  evaluation: {
    id: IDS.evaluation,
    project_id: IDS.project,
    dataset_id: IDS.dataset,
    name: 'Tickets',
    is_default: true,
    version: 2,
    models: [MODEL],
    repeats: 1,
    baseline: MODEL,
    created_at: AT,
    updated_at: AT,
  },
  'evaluation-rows': {
    evaluation_id: IDS.evaluation,
    set: 0,
    source: { kind: 'snapshot', snapshot_id: IDS.snapshot },
    first: 0,
    rows: [{ messages: [{ role: 'user', content: 'One?' }], expected: 'Yes.', tags: { kind: 'short' } }],
  },
  'evaluation-version': {
    evaluation_id: IDS.evaluation,
    set: 0,
    version: 2,
    prompt: null,
    system: null,
    checks: [{ id: 'same', kind: 'exact' }],
    settings: { temperature: 0 },
    created_at: AT,
  },
  note: {
    node_id: IDS.job,
    name: null,
    tags: ['a'],
    is_starred: true,
    is_archived: false,
    text: 'Good.',
    updated_at: AT,
  },
};

export type FileLine = Readonly<Record<string, unknown>> & { readonly kind: string };

/** The records of the file, but its last. */
export const RECORD_LINES: readonly FileLine[] = Object.entries(BODIES).map(([kind, body]) =>
  Object.assign({ kind }, body),
);

/** Lines with a last one that counts and hashes what comes before it. */
export function toText(lines: readonly (FileLine | string)[]): string {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const end: TransferRecord = { kind: 'end', lines: lines.length, sha256 };
  return `${text}${JSON.stringify(end)}\n`;
}

/** A file whose first record of a kind has other fields. */
export const toChanged = (kind: RecordKind, more: Readonly<Record<string, unknown>>): Buffer =>
  gzipSync(toText(RECORD_LINES.map((line) => (line.kind === kind ? Object.assign({}, line, more) : line))));
