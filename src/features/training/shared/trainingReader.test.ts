import { describe, expect, it } from 'vitest';
import {
  readCreatedJob,
  readProgress,
  readTrainingBases,
  readTrainingLog,
  readTrainingQueue,
} from './trainingReader.ts';
import { progressSchema, trainingBasesSchema, trainingLogSchema, trainingQueueSchema } from './trainingRecords.ts';

const RUN = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const JOB = '3f0c1a52-7b1e-4a1d-9c55-0123456789ac';

const PROGRESS = {
  experiment_id: RUN,
  job_id: JOB,
  status: 'running',
  reason: null,
  queue_position: null,
  actions: ['cancel', 'stop'],
  step: 12,
  steps: 240,
  seconds_left: 60.5,
  tokens_per_step: 1024,
  started_at: 1_700_000_000_000,
  ended_at: null,
  rows_cut: 0,
  rows_left_out: null,
  points: [
    { step: 1, epoch: 0.1, loss: 2.5, learning_rate: 1e-3, gradient_norm: 1.5, tokens_per_second: 3000, at: 5 },
    { step: 2, epoch: null, loss: 'NaN', learning_rate: null, gradient_norm: null, tokens_per_second: null, at: 6 },
  ],
  validations: [
    {
      step: 10,
      loss: null,
      exact_match: 0.5,
      answers: [{ prompt: 'p', expected: 'e', answer: 'a', is_right: false }],
    },
  ],
  checkpoints: [{ step: 10, saved_at: 7, model_id: null }],
  machine: 'gpu-1',
  parity: {
    prompts: 50,
    exact_match: 0.98,
    formats: [
      {
        format: 'F16',
        is_served: true,
        equal: 1,
        exact_match: 0.98,
        lost: 0,
        lost_from: -0.05,
        lost_to: 0.05,
        is_refused: false,
        first_difference: null,
      },
    ],
  },
};

describe('readProgress', () => {
  it('reads what the service sends', () => {
    expect(progressSchema.safeParse(PROGRESS).error).toBeUndefined();
    expect(readProgress(PROGRESS)).toEqual({ ok: true, value: PROGRESS });
  });

  it('takes what is missing as unknown', () => {
    const read = readProgress({ experiment_id: RUN, points: [{}, { step: 3 }, 'x'], validations: [{ step: 1 }] });
    expect(read).toEqual({
      ok: true,
      value: {
        experiment_id: RUN,
        job_id: null,
        status: 'unknown',
        reason: null,
        queue_position: null,
        actions: [],
        step: 0,
        steps: null,
        seconds_left: null,
        tokens_per_step: null,
        started_at: null,
        ended_at: null,
        rows_cut: null,
        rows_left_out: null,
        points: [
          {
            step: 3,
            epoch: null,
            loss: 'NaN',
            learning_rate: null,
            gradient_norm: null,
            tokens_per_second: null,
            at: 0,
          },
        ],
        validations: [{ step: 1, loss: null, exact_match: null, answers: [] }],
        checkpoints: [],
        parity: null,
        machine: null,
      },
    });
  });

  it('names the machine', () => {
    for (const [said, machine] of [
      ['gpu-1', 'gpu-1'],
      [7, null],
      [null, null],
    ])
      expect(readProgress({ experiment_id: 'a', machine: said })).toMatchObject({ value: { machine } });
  });

  it('knows no action that it could not do', () => {
    expect(readProgress({ experiment_id: RUN, actions: ['explode', 'resume'] })).toMatchObject({
      value: { actions: ['resume'] },
    });
  });

  it.each([null, [], 'x', {}, { experiment_id: 4 }])('says why %j is no progress', (body) => {
    expect(readProgress(body)).toEqual({ ok: false, reason: 'the progress names no experiment' });
  });
});

describe('readTrainingLog', () => {
  const LOG = { from: 10, next: 14, size: 20, text: 'abcd' };
  it('reads what the service sends', () => {
    expect(trainingLogSchema.safeParse(LOG).success).toBe(true);
    expect(readTrainingLog(LOG)).toEqual({ ok: true, value: LOG });
  });

  it('never goes back', () => {
    expect(readTrainingLog({ from: 10 })).toEqual({ ok: true, value: { from: 10, next: 10, size: 10, text: '' } });
    expect(readTrainingLog('text').ok).toBe(false);
  });
});

describe('readTrainingQueue', () => {
  const QUEUE = {
    trainer: { name: 'the built-in trainer', trains_only: ['support-base'] },
    has_workers: true,
    running: [RUN],
    waiting: [{ experiment_id: RUN, job_id: JOB, position: 1, reason: 'Another run is trained now.' }],
  };
  it('reads what the service sends', () => {
    expect(trainingQueueSchema.safeParse(QUEUE).success).toBe(true);
    expect(readTrainingQueue(QUEUE)).toEqual({ ok: true, value: QUEUE });
  });

  it.each([
    [{}, { trainer: null, has_workers: false, running: [], waiting: [] }],
    [
      { trainer: {}, running: RUN, waiting: [{}, { experiment_id: RUN }] },
      {
        trainer: { name: '', trains_only: null },
        has_workers: false,
        running: [],
        waiting: [{ experiment_id: RUN, job_id: null, position: 2, reason: null }],
      },
    ],
  ])('takes what is missing in %j as unknown', (body, value) => {
    expect(readTrainingQueue(body)).toEqual({ ok: true, value });
  });

  it('says why a text is none', () => {
    expect(readTrainingQueue('none').ok).toBe(false);
  });
});

it.each([
  [{ job_id: JOB }, { ok: true, value: JOB }],
  [{ job_id: 7 }, { ok: false, reason: 'the answer names no job' }],
  [null, { ok: false, reason: 'the answer names no job' }],
])('readCreatedJob of %j', (body, read) => {
  expect(readCreatedJob(body)).toEqual(read);
});

describe('base models that can be trained', () => {
  const SHAPE = {
    layers: 4,
    width: 128,
    heads: 4,
    key_heads: 2,
    head_width: 32,
    inner_width: 384,
    vocabulary: 3000,
    context: 512,
    has_output: false,
  };
  const BASE = {
    id: 'a',
    refusal: null,
    shape: SHAPE,
    finished_runs: 2,
    file_bytes: 1_900_000,
    operations_per_second: 14e9,
  };

  it('what the service sends is read as it is', () => {
    expect(trainingBasesSchema.safeParse({ bases: [BASE], machine: null }).error).toBeUndefined();
    expect(readTrainingBases({ bases: [BASE] })).toEqual({ ok: true, value: { bases: [BASE], machine: null } });
  });

  it.each([
    ['a missing size', { shape: { ...SHAPE, layers: undefined } }, { shape: null }],
    ['a size of 0', { shape: { ...SHAPE, width: 0 } }, { shape: null }],
    ['no shape', { shape: undefined }, { shape: null }],
    ['a speed of 0', { operations_per_second: 0 }, { operations_per_second: null }],
    ['a refusal', { refusal: 'It is quantized.' }, { refusal: 'It is quantized.' }],
  ])('%s', (_what, change, read) => {
    expect(readTrainingBases({ bases: [{ ...BASE, ...change }] })).toMatchObject({ value: { bases: [read] } });
  });

  it('what is free on the machine is read whole or not at all', () => {
    const machine = { memory_free: 3e9, disk_free: 2e10 };
    expect(readTrainingBases({ bases: [], machine })).toEqual({ ok: true, value: { bases: [], machine } });
    expect(readTrainingBases({ bases: [], machine: { memory_free: 1 } })).toMatchObject({ value: { machine: null } });
  });

  it('one without an id is left out; without a list it is no answer', () => {
    expect(readTrainingBases({ bases: [{ ...BASE, id: '' }, 7] })).toEqual({
      ok: true,
      value: { bases: [], machine: null },
    });
    expect(readTrainingBases({}).ok).toBe(false);
    expect(readTrainingBases(null).ok).toBe(false);
  });

  it('fields that this page does not know are left out, and every size may be of any kind', () => {
    const more = { ...BASE, file: '/models/a.gguf', shape: { ...SHAPE, epsilon: 1e-5 } };
    expect(readTrainingBases({ bases: [more] })).toEqual({ ok: true, value: { bases: [BASE], machine: null } });
    for (const name of Object.keys(SHAPE).filter((key) => key !== 'has_output')) {
      const damaged = { ...BASE, shape: { ...SHAPE, [name]: 'many' } };
      expect(readTrainingBases({ bases: [damaged] })).toMatchObject({ value: { bases: [{ id: 'a', shape: null }] } });
    }
  });
});
