import { describe, expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import { toRunFacts, type DataFacts } from '#features/runs/shared/settings/runFacts.ts';
import { toMeasuredRun, toWeights } from './fromFacts.ts';

const RUN = {
  id: 'r',
  experiment_number: 1,
  base_model_id: 'support-base',
  status: 'succeeded',
  lora: false,
  learning_rate_multiplier: 3e-3,
  n_epochs: 6,
  batch_size: 4,
  held_out: { exact_match: 0.8, validation_loss: 0.05 },
};
const DATA: DataFacts = { snapshot_id: 's', training_rows: 1000, validation_rows: 200, training_bytes: 140_000 };

function toRun(fields: Readonly<Record<string, unknown>> = {}, data: DataFacts = DATA) {
  const job = readJob({ id: 'j', experiments: [{ ...RUN, ...fields }] });
  if (!job.ok) throw new Error(job.reason);
  const [facts] = toRunFacts(job.value, { source: 'studio', data, rate: { means: 'rate', saidBy: 'service' } });
  if (!facts) throw new Error('The run has not ended.');
  const findWeights = (base: string): number | null => (base === 'support-base' ? 940_000 : null);
  return toMeasuredRun(facts, { origin: 'own', answer_shape: 'json', findWeights, job: 'j' });
}

describe('weights', () => {
  it.each([
    ['Qwen/Qwen3-0.6B', 0.6e9],
    ['smollm-135m', 135e6],
    ['meta-llama/Llama-3.1-8B-Instruct', 8e9],
    ['llama3.2-1b', 1e9],
    ['gpt2', null],
    ['my-4bit-model', null],
    ['v2.1b5', null],
  ])('%s: %s', (name, weights) => expect(toWeights(name)).toBe(weights));
});

describe('a finished run', () => {
  it('is evidence with its settings, its data and its validation result', () => {
    expect(toRun()).toEqual({
      task: 's support-base',
      origin: 'own',
      facts: { rows: 1000, bytes_per_row: 140, tokens_per_row: null, answer_shape: 'json', parameters: 940_000 },
      lora: false,
      learning_rate: 3e-3,
      batch_size: 4,
      n_epochs: 6,
      loss: 0.05,
      exact_match: 0.8,
    });
  });

  it('that diverged shows that its settings fail', () => {
    const failure = 'The run diverged: its loss was not finite.';
    expect(toRun({ status: 'failed', failure, held_out: { validation_loss: 0.05 } })).toMatchObject({
      loss: null,
      exact_match: null,
    });
  });

  it('that was ended by its machine or a person shows nothing', () => {
    expect(toRun({ status: 'failed', failure: 'The trainer was ended by the signal SIGKILL.' })).toBeNull();
    expect(toRun({ status: 'stopped', failure: 'Stopped by a person.' })).toBeNull();
  });

  it('takes the size of a base that is not known here from its name', () => {
    expect(toRun({ base_model_id: 'Qwen/Qwen3-0.6B' })?.facts.parameters).toBe(0.6e9);
  });

  it('has the data of its trainer as its task, where there is no snapshot', () => {
    const rows = { ...DATA, snapshot_id: null };
    expect(toRun({ datasets: 'org/chats' }, rows)?.task).toBe('j org/chats support-base');
  });

  it.each([
    ['no validation loss', { held_out: { exact_match: 1 } }],
    ['no rate', { learning_rate_multiplier: null }],
    ['a base of unknown size', { base_model_id: 'mine' }],
    ['another method', { method: 'DPO' }],
  ])('is left out with %s', (_, fields) => expect(toRun(fields)).toBeNull());

  it('is left out where nobody knows how many rows it had', () => {
    expect(toRun({}, { ...DATA, training_rows: null })).toBeNull();
  });
});
