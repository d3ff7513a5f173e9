import { describe, expect, it } from 'vitest';
import { readJob, type ReadJob } from '#core/contract/jobReader.ts';
import { toRunFacts, type DataFacts, type RunFacts } from './runFacts.ts';

const UNKNOWN_DATA: DataFacts = {
  snapshot_id: null,
  training_rows: null,
  validation_rows: null,
  training_bytes: null,
};
const RATE = { means: 'rate', saidBy: 'service' } as const;

function toJob(...experiments: readonly Readonly<Record<string, unknown>>[]): ReadJob {
  const read = readJob({ id: 'j', experiments });
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

/** As a folder of runs answers. */
const FOLDER_RUN = {
  id: 'f1',
  experiment_number: 1,
  base_model_id: 'Qwen/Qwen3-0.6B',
  status: 'succeeded',
  lora: true,
  adapter: 'qlora',
  method: 'DPO',
  datasets: 'trl-lib/Capybara',
  learning_rate_multiplier: 2e-4,
  n_epochs: 2,
  batch_size: 8,
  steps: 250,
  lora_rank: 16,
  lora_alpha: 32,
  scheduler: 'cosine',
  max_length: 1024,
  held_out: { validation_loss: 1.3, best_validation_loss: 1.1, 'rewards/accuracies': 0.7 },
};

/** As this studio answers for its own runs. */
const STUDIO_RUN = {
  id: 's1',
  experiment_number: 1,
  base_model_id: 'support-base',
  status: 'succeeded',
  lora: false,
  learning_rate_multiplier: 1e-3,
  n_epochs: 3,
  batch_size: 16,
  steps: 90,
  seconds: 40,
  last_loss: 0.4,
  held_out_rows: 50,
  held_out: { exact_match: 0.8, validation_loss: 0.5 },
  held_out_base: { validation_loss: 2.5 },
};

const ofFolder = (run: Readonly<Record<string, unknown>>): RunFacts | undefined =>
  toRunFacts(toJob(run), { source: 'folder', data: UNKNOWN_DATA, rate: RATE })[0];

describe('the facts of a run', () => {
  it('come from a folder, as far as its trainer wrote them down', () => {
    expect(ofFolder(FOLDER_RUN)).toMatchObject({
      source: 'folder',
      has_succeeded: true,
      base_model: 'Qwen/Qwen3-0.6B',
      training_type: 'qlora',
      method: 'dpo',
      data: { datasets: 'trl-lib/Capybara', training_rows: 1000, are_rows_estimated: true, bytes_per_row: null },
      settings: {
        learning_rate: 2e-4,
        epochs: 2,
        batch_rows: 8,
        max_length: 1024,
        lora_rank: 16,
        lora_alpha: 32,
        scheduler: 'cosine',
        optimizer: null,
        weight_decay: null,
      },
      best_held_out_loss: 1.1,
      base_held_out_loss: null,
    });
  });

  it('come in the same form from the studio, with the lengths of its rows', () => {
    const data = { snapshot_id: 'snap', training_rows: 480, validation_rows: 50, training_bytes: 96_000 };
    const [facts] = toRunFacts(toJob(STUDIO_RUN), { source: 'studio', data, rate: RATE });
    expect(facts).toMatchObject({
      source: 'studio',
      // A model that only this studio has.
      base_model: null,
      base_model_id: 'support-base',
      training_type: 'full',
      method: 'sft',
      data: { ...data, bytes_per_row: 200, are_rows_estimated: false, datasets: null },
      seconds: 40,
      last_loss: 0.4,
      best_held_out_loss: 0.5,
      base_held_out_loss: 2.5,
    });
    expect(Object.keys(facts ?? {})).toEqual(Object.keys(ofFolder(FOLDER_RUN) ?? {}));
  });

  it('invent nothing that a run did not record', () => {
    expect(ofFolder({ id: 'x', status: 'failed' })).toMatchObject({
      has_succeeded: false,
      base_model: null,
      base_model_id: null,
      training_type: null,
      method: null,
      data: { training_rows: null, are_rows_estimated: false },
      settings: { learning_rate: null, epochs: null, batch_rows: null },
      steps: null,
      best_held_out_loss: null,
      last_loss: null,
    });
  });

  it.each([
    ['broken off', { status: 'stopped' }],
    ['packed', { packing: true }],
    ['without epochs', { n_epochs: undefined }],
    ['of no step', { steps: 0 }],
  ])('have no estimate of the rows of a run that is %s', (_case, change) => {
    expect(ofFolder({ ...FOLDER_RUN, ...change })?.data).toMatchObject({
      training_rows: null,
      are_rows_estimated: false,
    });
  });

  it('have the rate itself: a factor of an unknown rate is none', () => {
    const rateOf = (rate: Parameters<typeof toRunFacts>[1]['rate']) =>
      toRunFacts(toJob({ ...FOLDER_RUN, learning_rate_multiplier: 2 }), {
        source: 'studio',
        data: UNKNOWN_DATA,
        rate,
      })[0]?.settings.learning_rate;
    expect(rateOf({ means: 'unknown' })).toBeNull();
    expect(rateOf({ means: 'factor', base: 1e-5 })).toBe(2e-5);
  });

  it('are those of runs that ended, failed ones too', () => {
    const job = toJob(
      ...['succeeded', 'running', 'failed', 'queued', 'stopped', 'deleted'].map((status) => ({ id: status, status })),
    );
    expect(toRunFacts(job, { source: 'folder', data: UNKNOWN_DATA, rate: RATE }).map(({ run_id: id }) => id)).toEqual([
      'succeeded',
      'failed',
      'stopped',
    ]);
  });
});
