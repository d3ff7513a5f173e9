import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { recommendationSchema } from './recommendation.ts';
import { readRecommendation, type ReadRecommendation } from './recommendationReader.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const hyperparameters = { n_epochs: 3, batch_size: 4, learning_rate_multiplier: 0.00002 };
const model = {
  base_model_id: 'qwen3-0.6b',
  recommended: true,
  full_hyperparameters: hyperparameters,
  lora_hyperparameters: { ...hyperparameters, learning_rate_multiplier: 2 },
  reason_for_recommendation: 'Small and quick.',
};
const experiment = {
  base_model_id: 'qwen3-0.6b',
  ...hyperparameters,
  lora: true,
  recommended: false,
  reason_for_recommendation: 'Cheap.',
};
const record = {
  snapshot_id: ID,
  status: 'completed',
  recommended_models: [model],
  recommended_experiments: [experiment],
};

const sentExperiment = { ...experiment, training_type: 'lora' };
const sent = { ...record, recommended_experiments: [sentExperiment] };

it('what is recommended to be trained elsewhere is read as recommended', () => {
  const elsewhere = { recommended: false, recommended_elsewhere: true };
  const read = readRecommendation({
    ...sent,
    recommended_models: [{ ...model, ...elsewhere }],
    recommended_experiments: [{ ...sentExperiment, ...elsewhere }],
  });
  const { recommended_models, recommended_experiments } = (read as { value: ReadRecommendation }).value;
  expect([recommended_models[0], recommended_experiments[0]]).toMatchObject([
    { recommended: true, extra: {} },
    { recommended: true, is_elsewhere: true, extra: {} },
  ]);
});

describe('the record that our service sends (SPEC 2.2)', () => {
  const isGood = (body: unknown): boolean => recommendationSchema.safeParse(body).success;

  it('is accepted, in every status', () => {
    for (const status of ['processing', 'completed', 'failed']) expect(isGood({ ...sent, status })).toBe(true);
    expect(isGood({ ...sent, recommended_models: [], recommended_experiments: [] })).toBe(true);
  });

  it('may say why it failed', () => {
    expect(isGood({ ...sent, status: 'failed', error: 'No rows.' })).toBe(true);
    expect(isGood({ ...sent, error: { message: 'No rows.' } })).toBe(false);
  });

  it.each<[string, unknown]>([
    ['another status', { ...sent, status: 'queued' }],
    ['no UUID', { ...sent, snapshot_id: 's' }],
    ['null lists', { ...sent, recommended_models: null }],
    ['an extra field', { ...sent, extra: 1 }],
    ['half an epoch', { ...sent, recommended_experiments: [{ ...sentExperiment, n_epochs: 1.5 }] }],
    ['half a batch', { ...sent, recommended_experiments: [{ ...sentExperiment, batch_size: 0.5 }] }],
    [
      'a rate that is a text',
      { ...sent, recommended_experiments: [{ ...sentExperiment, learning_rate_multiplier: '2e-5' }] },
    ],
    ['no reason', { ...sent, recommended_models: [{ ...model, reason_for_recommendation: null }] }],
    ['no LoRA', { ...sent, recommended_models: [{ ...model, lora_hyperparameters: null }] }],
    ['no training_type', { ...sent, recommended_experiments: [{ ...sentExperiment, training_type: undefined }] }],
  ])('is refused with %s', (_what, body) => expect(isGood(body)).toBe(false));
});

describe('the record as it is read, from any service', () => {
  function read(fields: object): ReadRecommendation {
    const result = readRecommendation({ ...record, ...fields });
    if (!result.ok) throw new Error(result.reason);
    return result.value;
  }

  it('keeps every value exactly', () => {
    const { lora: _lora, ...rest } = experiment;
    const given = (set: object) => ({ ...set, extra: {} });
    const { full_hyperparameters: full, lora_hyperparameters: lora } = model;
    expect(read({})).toEqual({
      ...record,
      recommended_models: [
        { ...model, full_hyperparameters: given(full), lora_hyperparameters: given(lora), extra: {} },
      ],
      recommended_experiments: [{ ...rest, training_type: 'lora', is_elsewhere: false, extra: {} }],
      error: null,
      extra: {},
    });
    expect(read({}).recommended_experiments[0]?.learning_rate_multiplier).toBe(0.00002);
  });

  it('reads null and missing lists as empty ones, while processing', () => {
    const read1 = read({ status: 'processing', recommended_models: null, recommended_experiments: undefined });
    expect([read1.status, read1.recommended_models, read1.recommended_experiments]).toEqual(['processing', [], []]);
  });

  it('keeps an unknown status', () => expect(read({ status: 'paused' }).status).toBe('paused'));

  it('shows what a service did not give as not given', () => {
    const [read1] = read({ recommended_models: [{}] }).recommended_models;
    expect(read1).toEqual({
      base_model_id: 'unknown',
      recommended: false,
      full_hyperparameters: null,
      lora_hyperparameters: null,
      reason_for_recommendation: null,
      extra: {},
    });
    const [partial] = read({
      recommended_models: [{ ...model, lora_hyperparameters: { n_epochs: '3', batch_size: 4 } }],
    }).recommended_models;
    expect(partial?.lora_hyperparameters).toEqual({
      n_epochs: null,
      batch_size: 4,
      learning_rate_multiplier: null,
      extra: {},
    });
  });

  it('keeps the fields that it does not know, at every level', () => {
    const known = read({
      cost: { credits: 3 },
      recommended_models: [
        { ...model, context: 8192, full_hyperparameters: { ...hyperparameters, warmup_ratio: 0.1 } },
      ],
      recommended_experiments: [{ ...experiment, epochs_note: null, training_type: 'lora' }],
    });
    expect(known.extra).toEqual({ cost: { credits: 3 } });
    expect(known.recommended_models[0]?.extra).toEqual({ context: 8192 });
    expect(known.recommended_models[0]?.full_hyperparameters?.extra).toEqual({ warmup_ratio: 0.1 });
    expect(known.recommended_experiments[0]?.extra).toEqual({ epochs_note: null });
  });

  it('takes a field named __proto__ for data', () => {
    const read1 = readRecommendation(JSON.parse('{"status":"completed","__proto__":{"polluted":1}}'));
    expect(read1).toMatchObject({ ok: true });
    if (read1.ok)
      expect([Object.keys(read1.value.extra), 'polluted' in read1.value.extra]).toEqual([['__proto__'], false]);
  });

  it.each<[unknown, string | null, object]>([
    ['The snapshot has no rows.', 'The snapshot has no rows.', {}],
    [{ message: 'No rows.', code: 'empty' }, 'No rows.', { error: { message: 'No rows.', code: 'empty' } }],
    [null, null, {}],
    [undefined, null, {}],
    ['', null, {}],
    [7, null, { error: 7 }],
  ])('reads the error %j as %j', (error, expected, extra) => {
    const read1 = read({ status: 'failed', error });
    expect([read1.error, read1.extra]).toEqual([expected, extra]);
  });

  it.each<[object, string | null]>([
    [{ lora: true }, 'lora'],
    [{ lora: false }, 'full'],
    [{ training_type: 'qlora' }, 'qlora'],
    [{ training_type: 'full', lora: true }, 'full'],
    [{ training_type: 'something-new' }, 'something-new'],
    [{ training_type: 5, lora: false }, 'full'],
    [{}, null],
    [{ lora: 'yes' }, null],
  ])('reads the training type of %j as %j', (fields, expected) => {
    const { lora: _lora, ...rest } = experiment;
    expect(read({ recommended_experiments: [{ ...rest, ...fields }] }).recommended_experiments[0]?.training_type).toBe(
      expected,
    );
  });

  it('leaves out entries that are no objects', () => {
    expect(read({ recommended_models: [null, 'x', model], recommended_experiments: [5] })).toMatchObject({
      recommended_models: [{ base_model_id: 'qwen3-0.6b' }],
      recommended_experiments: [],
    });
  });

  it.each<[unknown, string]>([
    [null, 'the answer is not an object'],
    ['x', 'the answer is not an object'],
    [{}, 'the recommendation has no status'],
    [{ status: 5 }, 'the recommendation has no status'],
  ])('says of %j: %s', (body, reason) => expect(readRecommendation(body)).toEqual({ ok: false, reason }));

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const result = readRecommendation({
          status: 'completed',
          recommended_models: value,
          recommended_experiments: [value],
        });
        expect(result.ok).toBe(true);
      }),
    );
  });
});
