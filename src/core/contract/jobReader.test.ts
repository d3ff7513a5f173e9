// Jobs of any service: what is missing, unknown or wrong never loses the rest.
import { describe, expect, it } from 'vitest';
import { readJob, UNKNOWN_MODEL, type ReadJob, type ReadJobExperiment } from './jobReader.ts';

const JOB = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';

function read(body: unknown): ReadJob {
  const result = readJob(body);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

function readRun(fields: object): ReadJobExperiment | undefined {
  return read({ id: JOB, experiments: [{ id: 'run', ...fields }] }).experiments[0];
}

describe('a job', () => {
  it.each([
    ['a list', [], 'the answer is not an object'],
    ['nothing', null, 'the answer is not an object'],
    ['an id that is a number', { id: 7 }, 'the job has no id'],
    ['an empty id', { id: '' }, 'the job has no id'],
  ])('is none: %s', (_, body, reason) => expect(readJob(body)).toEqual({ ok: false, reason }));

  it('that says nothing but its id is unknown, not wrong', () => {
    expect(read({ id: JOB })).toEqual({
      id: JOB,
      name: null,
      snapshot_id: null,
      status: 'unknown',
      answer_shape: null,
      main_measure: null,
      launcher: null,
      halving: null,
      experiments: [],
      extra: {},
    });
  });

  it('keeps a status and fields that nobody foresaw', () => {
    const job = read({ id: JOB, status: 'paused', answer_shape: 'poem', owner: { team: 'a' } });
    expect(job).toMatchObject({ status: 'paused', answer_shape: null });
    expect(job.extra).toEqual({ owner: { team: 'a' } });
  });

  it('leaves out what has no id, and keeps what stands beside it', () => {
    const { experiments } = read({ id: JOB, experiments: [null, 7, {}, { id: '' }, { id: 'a' }, 'x', { id: 'b' }] });
    expect(experiments.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(read({ id: JOB, experiments: { a: 1 } }).experiments).toEqual([]);
  });
});

describe('a run of a job', () => {
  it('of another trainer may lack every count, rate and model', () => {
    expect(readRun({})).toMatchObject({
      base_model_id: UNKNOWN_MODEL,
      training_type: null,
      n_epochs: null,
      batch_size: null,
      learning_rate_multiplier: null,
      model_id: null,
      steps: null,
      held_out: {},
      losses: [],
    });
  });

  it('takes a number only as a number', () => {
    for (const wrong of ['3', NaN, Infinity, null, true, [3]]) {
      expect(readRun({ n_epochs: wrong, steps: wrong, last_loss: wrong })).toMatchObject({
        n_epochs: null,
        steps: null,
        last_loss: null,
      });
    }
    expect(readRun({ n_epochs: 2.5 })?.n_epochs).toBe(2.5);
  });

  it.each([
    [{ lora: true }, 'lora'],
    [{ lora: false }, 'full'],
    [{ training_type: 'qlora', lora: false }, 'qlora'],
    [{ lora: 'yes' }, null],
  ])('says how it was trained in one word: %j', (fields, word) => {
    expect(readRun(fields)?.training_type).toBe(word);
    expect(readRun(fields)?.extra).not.toHaveProperty('lora');
  });

  it('has its losses in the order of their steps, and says where one was no number', () => {
    const losses = [
      { step: 20, loss: null },
      { step: 10, loss: 2 },
      { step: 'x', loss: 1 },
      null,
      { step: 30, loss: '1' },
    ];
    expect(readRun({ losses })?.losses).toEqual([
      { step: 10, loss: 2 },
      { step: 20, loss: NaN },
    ]);
  });

  it('has the measures that are numbers', () => {
    const held_out = { exact_match: 0.5, note: 'good', lost: null };
    expect(readRun({ held_out, held_out_base: 7 })).toMatchObject({
      held_out: { exact_match: 0.5 },
      held_out_base: {},
    });
  });

  it('keeps the settings of its trainer by their own names', () => {
    expect(readRun({ lr_scheduler_type: 'cosine', packing: true, lora_r: 16 })?.extra).toEqual({
      lr_scheduler_type: 'cosine',
      packing: true,
      lora_r: 16,
    });
  });
});
