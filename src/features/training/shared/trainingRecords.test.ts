import { describe, expect, it } from 'vitest';
import { jobSchema } from '#core/contract/job.ts';
import { readJob } from '#core/contract/jobReader.ts';
import {
  modelNameSchema,
  modelRunningSchema,
  progressSchema,
  queueOrderSchema,
  takeAwaySchema,
  trainingCommandSchema,
  trainingPreviewSchema,
  trainingLogSchema,
  trainingQueueSchema,
} from './trainingRecords.ts';

const RUN = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const JOB = '3f0c1a52-7b1e-4a1d-9c55-0123456789ac';

const PROGRESS = {
  experiment_id: RUN,
  job_id: JOB,
  status: 'queued',
  reason: 'One run is trained before it.',
  queue_position: 1,
  actions: ['cancel'],
  step: 0,
  steps: null,
  seconds_left: null,
  tokens_per_step: null,
  started_at: null,
  ended_at: null,
  rows_cut: null,
  rows_left_out: null,
  points: [],
  validations: [],
  checkpoints: [],
};

describe('progress', () => {
  it('of a run that waits is valid', () => {
    expect(progressSchema.safeParse(PROGRESS).error).toBeUndefined();
  });

  it.each([
    ['a status that is none of an experiment', { status: 'processing' }],
    ['an action that nobody can do', { actions: ['pause'] }],
    ['a step before the first', { step: -1 }],
    ['a field of another name', { loss: 1 }],
    ['a point without its time', { points: [{ step: 1, epoch: null, loss: 1 }] }],
    ['an answer that nobody judged', { validations: [{ step: 1, loss: null, exact_match: null, answers: [{}] }] }],
    ['a checkpoint with a path', { checkpoints: [{ step: 1, saved_at: 1, model_id: null, file: '/a' }] }],
    ['no reason at all', { reason: undefined }],
  ])('with %s is not sent', (_what, more) => {
    expect(progressSchema.safeParse({ ...PROGRESS, ...more }).success).toBe(false);
  });

  it.each(['NaN', 'Infinity', '-Infinity', 0.5])('may have the loss %s', (loss) => {
    const point = {
      step: 1,
      epoch: null,
      loss,
      learning_rate: null,
      gradient_norm: null,
      tokens_per_second: null,
      at: 1,
    };
    expect(progressSchema.safeParse({ ...PROGRESS, points: [point] }).success).toBe(true);
  });
});

describe('other records', () => {
  it.each([
    ['a log', trainingLogSchema, { from: 0, next: 0, size: 0, text: '' }, { from: -1 }],
    [
      'what is taken away',
      takeAwaySchema,
      {
        modelfile: null,
        problem: 'It can not.',
        files: [{ format: 'F16', path: '/m.gguf', bytes: 1, name: 'm.F16.gguf' }],
        commands: [{ title: 'llama.cpp', command: 'llama-server' }],
      },
      { files: [{ format: 'F16', path: '/m.gguf' }] },
    ],
    ['a command', trainingCommandSchema, { command: ['train', '/job.json'], job: '{}' }, { command: 'train' }],
    ['what would run', trainingPreviewSchema, { runs: [{ command: ['train'], job: '{}' }] }, { runs: [{ job: '{}' }] }],
    [
      'a queue',
      trainingQueueSchema,
      { trainer: null, has_workers: false, running: [], waiting: [] },
      { running: 'first' },
    ],
    ['a model in memory', modelRunningSchema, { status: true, memory: null }, { status: 'up' }],
    ['the name of a model', modelNameSchema, { model: 'org/a' }, { model: '' }],
    ['an order', queueOrderSchema, { experiment_ids: [RUN] }, { experiment_ids: ['7'] }],
  ])('%s', (_what, schema, valid, wrong) => {
    expect(schema.safeParse(valid).error).toBeUndefined();
    expect(schema.safeParse({ ...valid, ...wrong }).success).toBe(false);
  });

  it('an order names some, and at most a thousand', () => {
    expect(queueOrderSchema.safeParse({ experiment_ids: [] }).success).toBe(false);
    expect(queueOrderSchema.safeParse({ experiment_ids: Array.from({ length: 1001 }, () => RUN) }).success).toBe(false);
  });
});

describe('a job', () => {
  const EXPERIMENT = {
    id: RUN,
    experiment_number: 1,
    base_model_id: 'support-base',
    batch_size: 8,
    n_epochs: 3,
    learning_rate_multiplier: 0.006,
    lora: true,
    status: 'queued',
  };
  const job = (more: object) => ({
    id: JOB,
    name: 'First',
    snapshot_id: RUN,
    status: 'processing',
    experiments: [{ ...EXPERIMENT, ...more }],
  });

  it.each([
    { reason: 'Nothing trains here.' },
    { queue_position: 2 },
    { training_type: 'qlora' },
    { refinetune_from_experiment_id: JOB },
  ])('says %j of an experiment, and readers keep it', (more) => {
    expect(jobSchema.safeParse(job(more)).error).toBeUndefined();
    const read = readJob(job(more));
    const [experiment] = read.ok ? read.value.experiments : [];
    expect({ ...experiment, ...experiment?.extra }).toMatchObject(more);
  });

  it.each([{ queue_position: -1 }, { refinetune_from_experiment_id: 'the last' }, { reason: 7 }])(
    'never says %j',
    (more) => {
      expect(jobSchema.safeParse(job(more)).success).toBe(false);
    },
  );
});
