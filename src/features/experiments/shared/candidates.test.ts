import { describe, expect, it } from 'vitest';
import { readRecommendation, type ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { findRecommended, toChoices, toRecommendedFirst, toRecommendedWords } from './candidates.ts';

function read(body: object): ReadRecommendation {
  const result = readRecommendation({ snapshot_id: 's', status: 'completed', ...body });
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

const given = { n_epochs: 3, batch_size: 8, learning_rate_multiplier: 0.0002 };
const model = (base_model_id: string, more: object = {}) => ({
  base_model_id,
  recommended: false,
  full_hyperparameters: given,
  lora_hyperparameters: { ...given, batch_size: 16 },
  reason_for_recommendation: `about ${base_model_id}`,
  ...more,
});
const experiment = (base_model_id: string, more: object = {}) => ({
  base_model_id,
  ...given,
  lora: true,
  recommended: false,
  reason_for_recommendation: 'why',
  ...more,
});

describe('order', () => {
  it('puts recommended entries first and keeps the order of the rest', () => {
    const entries = ['a', 'b!', 'c', 'd!'].map((name) => ({ name, recommended: name.endsWith('!') }));
    expect(toRecommendedFirst(entries).map((entry) => entry.name)).toEqual(['b!', 'd!', 'a', 'c']);
  });

  it('lists models (full, then LoRA) before experiments, and counts experiments as they are shown', () => {
    const choices = toChoices(
      read({
        recommended_models: [model('a'), model('b', { recommended: true })],
        recommended_experiments: [experiment('x'), experiment('y', { recommended: true })],
      }),
    );
    expect(choices.models.map((entry) => entry.base_model_id)).toEqual(['b', 'a']);
    expect(choices.candidates.map((entry) => [entry.base_model_id, entry.training_type, entry.place])).toEqual([
      ['b', 'full', null],
      ['b', 'lora', null],
      ['a', 'full', null],
      ['a', 'lora', null],
      ['y', 'lora', 1],
      ['x', 'lora', 2],
    ]);
  });
});

describe('what a model offers', () => {
  it('takes each way of training with its own hyperparameters and the model’s reason', () => {
    const [first] = toChoices(read({ recommended_models: [model('a')] })).models;
    expect(first?.full).toMatchObject({
      origin: 'model',
      training_type: 'full',
      ...given,
      reason_for_recommendation: 'about a',
    });
    expect(first?.lora).toMatchObject({ training_type: 'lora', batch_size: 16 });
  });

  it('offers no candidate where the service gave no hyperparameters', () => {
    const choices = toChoices(read({ recommended_models: [model('a', { lora_hyperparameters: null })] }));
    expect(choices.models[0]?.lora).toBeNull();
    expect(choices.candidates.map((entry) => entry.training_type)).toEqual(['full']);
  });

  it('keeps the training type of an experiment, also one that SPEC does not have', () => {
    const types = [
      { lora: false },
      { lora: true },
      { training_type: 'qlora' },
      { training_type: 'dora' },
      { lora: null },
    ];
    const choices = toChoices(read({ recommended_experiments: types.map((type) => experiment('a', type)) }));
    expect(choices.experiments.map((entry) => entry.training_type)).toEqual(['full', 'lora', 'qlora', 'dora', null]);
  });
});

describe('keys', () => {
  const keysOf = (body: object) => toChoices(read(body)).candidates.map((entry) => entry.key);

  it('are unique when the service names a base model or an experiment twice', () => {
    const body = {
      recommended_models: [model('a'), model('a')],
      recommended_experiments: [experiment('a'), experiment('a'), experiment('a')],
    };
    const keys = keysOf(body);
    expect(keys).toHaveLength(7);
    expect(new Set(keys).size).toBe(7);
    expect(toChoices(read(body)).candidates.map((entry) => entry.repeat)).toEqual([1, 1, 2, 2, 1, 2, 3]);
  });

  it('do not depend on the place in the list', () => {
    const a = experiment('a');
    const b = experiment('b');
    expect(keysOf({ recommended_experiments: [a, b] }).toSorted()).toEqual(
      keysOf({ recommended_experiments: [b, a] }).toSorted(),
    );
  });

  it('tell apart ids that hold the separators, and survive ids that are no valid text', () => {
    const ids = ['a:full', 'a', 'a;2', 'a;2:full', 'b/c, d', '\uD800', '__proto__', ''];
    const keys = keysOf({ recommended_models: ids.map((id) => model(id)) });
    expect(new Set(keys).size).toBe(ids.length * 2);
  });

  it('fit the address however long an id is, and stay apart', () => {
    const long = 'x'.repeat(300);
    const keys = keysOf({
      recommended_models: [model(long), model(`${long}y`)],
      recommended_experiments: [experiment(long, { training_type: long })],
    });
    expect(new Set(keys).size).toBe(5);
    for (const key of keys) expect(`r:00000000-0000-4000-8000-000000000000:${key}`.length).toBeLessThanOrEqual(256);
  });

  it('tell a missing value from a zero', () => {
    const keys = keysOf({
      recommended_experiments: [experiment('a', { n_epochs: 0 }), experiment('a', { n_epochs: null })],
    });
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys.some((key) => key.includes(';'))).toBe(false);
  });
});

it('reads text and NaN in numeric fields as not given, and drops what is no entry at all', () => {
  const choices = toChoices(
    read({
      recommended_models: [
        null,
        5,
        model('a', { full_hyperparameters: { n_epochs: '3', batch_size: Number.NaN, learning_rate_multiplier: true } }),
      ],
      recommended_experiments: null,
    }),
  );
  expect(choices.models).toHaveLength(1);
  expect(choices.models[0]?.full).toMatchObject({ n_epochs: null, batch_size: null, learning_rate_multiplier: null });
  expect(choices.experiments).toEqual([]);
});

it('takes a proposal that equals advice once among the recommended', () => {
  const advice = { n_epochs: 3, batch_size: 8, learning_rate_multiplier: 2e-4 };
  const equal = experiment('a', { ...advice, training_type: 'lora', recommended: true });
  const record = {
    recommended_models: [model('a', { recommended: true, full_hyperparameters: null, lora_hyperparameters: advice })],
    recommended_experiments: [equal, { ...equal, batch_size: 16 }],
  };
  expect(findRecommended(toChoices(read(record))).map(({ origin, batch_size }) => [origin, batch_size])).toEqual([
    ['model', 8],
    ['proposal', 16],
  ]);
});

it('says what the stars mark, and how many different settings that makes', () => {
  const y = experiment('b', { recommended: true, batch_size: 16 });
  const words = (body: object) => toRecommendedWords(toChoices(read(body)));
  expect(
    words({ recommended_models: [model('a'), model('b', { recommended: true })], recommended_experiments: [y] }),
  ).toBe('1 base model, with settings for full and LoRA training, and 1 run: 2 different settings');
  expect(words({ recommended_experiments: [y, experiment('c')] })).toBe('1 run');
  expect(words({ recommended_models: [model('a')] })).toBeNull();
});
