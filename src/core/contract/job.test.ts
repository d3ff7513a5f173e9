import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { JOB_EXPERIMENT_FIELDS, jobSchema, MAX_LOSS_POINTS } from './job.ts';
import { readJob, toEmptyExperiment, type ReadJob } from './jobReader.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const experiment = {
  id: ID,
  experiment_number: 1,
  base_model_id: 'support-base',
  batch_size: 8,
  learning_rate_multiplier: 0.00002,
  n_epochs: 3,
  lora: true,
  status: 'succeeded',
};
const results = {
  model_id: 'ft-support-base-3f0c1a52',
  steps: 473,
  seconds: 153.5,
  first_loss: 8.1,
  last_loss: 0.009,
  held_out_rows: 200,
  held_out: { exact_match: 0.98 },
  held_out_base: { exact_match: 0 },
  decoding: 'greedy',
  losses: [
    { step: 0, loss: 8.1 },
    { step: 472, loss: 0.008 },
  ],
};
const job = {
  id: ID,
  name: 'First round',
  snapshot_id: ID,
  status: 'completed',
  answer_shape: 'json',
  main_measure: 'exact_match',
  halving: { eta: 3, min_share: 0.25, stopped_early: 6, seconds: 540, seconds_saved: 900 },
  experiments: [experiment, { ...experiment, ...results }],
};

describe('the job that our service sends', () => {
  const isGood = (body: unknown): boolean => jobSchema.safeParse(body).success;
  const withOne = (fields: object) => ({ ...job, experiments: [{ ...experiment, ...fields }] });

  it('is accepted, with results and without', () => {
    expect(isGood(job)).toBe(true);
    expect(isGood({ ...job, status: 'processing', experiments: [] })).toBe(true);
    expect(
      isGood(
        withOne({
          status: 'failed',
          failure: 'loss is not finite at step 1',
          losses: [
            { step: 0, loss: 8 },
            { step: 1, loss: null },
          ],
        }),
      ),
    ).toBe(true);
  });

  it('may hold a run of another trainer, which wrote down some settings and ended nobody knows how', () => {
    const run = { id: ID, experiment_number: 1, status: 'stopped', n_epochs: 0.5, neftune_noise_alpha: 5, bf16: true };
    expect(isGood({ ...job, status: 'stopped', experiments: [run] })).toBe(true);
    expect(JOB_EXPERIMENT_FIELDS.has('n_epochs')).toBe(true);
  });

  it.each<[string, unknown]>([
    ['no UUID', { ...job, id: 'j' }],
    ['another status', { ...job, status: 'running' }],
    ['another shape of answers', { ...job, answer_shape: 'poem' }],
    ['an extra field', { ...job, cost: 1 }],
    ['an extra field of an experiment that is a list', withOne({ targets: ['q_proj'] })],
    ['an unknown status of an experiment', withOne({ status: 'paused' })],
    ['a rate that is a text', withOne({ learning_rate_multiplier: 'auto' })],
    ['a loss that is a text', withOne({ losses: [{ step: 0, loss: 'NaN' }] })],
    [
      'too many losses',
      withOne({ losses: Array.from({ length: MAX_LOSS_POINTS + 1 }, (_, step) => ({ step, loss: 1 })) }),
    ],
  ])('is refused with %s', (_what, body) => expect(isGood(body)).toBe(false));
});

describe('the job as it is read, from any service', () => {
  function read(body: unknown): ReadJob {
    const result = readJob(body);
    if (!result.ok) throw new Error(result.reason);
    return result.value;
  }
  const readOne = (fields: object) => read({ ...job, experiments: [{ ...experiment, ...fields }] }).experiments[0];

  it('keeps every value exactly', () => {
    const { lora: _lora, ...rest } = experiment;
    const read1 = { ...toEmptyExperiment(ID), ...rest, training_type: 'lora' };
    expect(read(job)).toEqual({
      ...job,
      launcher: null,
      halving: { eta: 3, stopped_early: 6, seconds: 540, seconds_saved: 900 },
      experiments: [read1, { ...read1, ...results }],
      extra: {},
    });
  });

  it('reads an id and nothing else', () => {
    expect(read({ id: 'j', experiments: [{ id: 'e' }] })).toEqual({
      id: 'j',
      name: null,
      snapshot_id: null,
      status: 'unknown',
      answer_shape: null,
      main_measure: null,
      launcher: null,
      halving: null,
      experiments: [
        {
          id: 'e',
          experiment_number: null,
          base_model_id: 'unknown',
          training_type: null,
          n_epochs: null,
          batch_size: null,
          learning_rate_multiplier: null,
          status: 'unknown',
          status_cause: null,
          model_id: null,
          failure: null,
          steps: null,
          seconds: null,
          first_loss: null,
          last_loss: null,
          held_out_rows: null,
          held_out: {},
          held_out_base: {},
          right_rows: null,
          decoding: null,
          chosen_settings: null,
          losses: [],
          extra: {},
        },
      ],
      extra: {},
    });
  });

  it('keeps an unknown status and what it does not know, of the job and of its experiments', () => {
    const read1 = read({
      ...job,
      status: 'paused',
      cost: 3,
      experiments: [{ ...experiment, status: 'paused', gpu: { hours: 2 }, refinetune_from_experiment_id: null }],
    });
    expect([read1.status, read1.extra]).toEqual(['paused', { cost: 3 }]);
    expect(read1.experiments[0]).toMatchObject({
      status: 'paused',
      extra: { gpu: { hours: 2 }, refinetune_from_experiment_id: null },
    });
  });

  it.each<[object, string | null]>([
    [{ lora: false }, 'full'],
    [{ training_type: 'qlora' }, 'qlora'],
    [{ training_type: 'full', lora: true }, 'full'],
    [{ lora: 'yes' }, null],
    [{ lora: null }, null],
  ])('reads the training type of %j as %j', (fields, expected) =>
    expect(readOne(fields)?.training_type).toBe(expected),
  );

  it('takes no text for a number, and no number for a text', () => {
    const odd = {
      n_epochs: '3',
      batch_size: null,
      learning_rate_multiplier: {},
      experiment_number: '1',
      model_id: 5,
      failure: {},
      steps: [],
      held_out: { exact_match: '98 %', id_copied: 1, note: null },
    };
    expect(readOne(odd)).toMatchObject({
      n_epochs: null,
      batch_size: null,
      learning_rate_multiplier: null,
      experiment_number: null,
      model_id: null,
      failure: null,
      steps: null,
      held_out: { id_copied: 1 },
    });
  });

  it('puts losses in the order of their steps and leaves out what is no point', () => {
    const losses = [
      { step: 9, loss: 1 },
      null,
      { step: 3, loss: 2 },
      { step: 4 },
      { step: '5', loss: 1 },
      { step: 6, loss: 'x' },
      7,
      { step: 0, loss: 8 },
    ];
    expect(readOne({ losses })?.losses).toEqual([
      { step: 0, loss: 8 },
      { step: 3, loss: 2 },
      { step: 9, loss: 1 },
    ]);
    expect(readOne({ losses: 'none' })?.losses).toEqual([]);
  });

  it('reads a loss of null as no finite number', () => {
    expect(
      readOne({
        losses: [
          { step: 1, loss: null },
          { step: 0, loss: 8 },
        ],
      })?.losses,
    ).toEqual([
      { step: 0, loss: 8 },
      { step: 1, loss: Number.NaN },
    ]);
  });

  it('leaves out experiments without an id, and keeps their siblings', () => {
    expect(read({ ...job, experiments: [null, {}, { id: '' }, { id: 5 }, experiment] }).experiments).toHaveLength(1);
    expect(read({ ...job, experiments: null }).experiments).toEqual([]);
  });

  it.each<[unknown, string]>([
    [null, 'the answer is not an object'],
    [[], 'the answer is not an object'],
    [{}, 'the job has no id'],
    [{ id: 5 }, 'the job has no id'],
  ])('says of %j: %s', (body, reason) => expect(readJob(body)).toEqual({ ok: false, reason }));

  it('never throws, whatever comes, and reads what our service sends as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readJob({ id: 'j', experiments: value }).ok).toBe(true);
        expect(
          readJob({ id: 'j', experiments: [value, { id: 'e', losses: value, held_out: value, extra: value }] }).ok,
        ).toBe(true);
      }),
    );
  });
});
