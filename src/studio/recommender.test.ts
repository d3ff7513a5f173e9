import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recommendationSchema } from '../contract/recommendation';
import { CATALOGUE, LOCAL_BASE_MODEL } from './catalogue';
import type { RunFact, SnapshotFacts } from './evidence';
import { recommend } from './recommender';

const SNAPSHOT = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

const run = (fields: Partial<RunFact>): RunFact => ({
  snapshot_id: SNAPSHOT,
  experiment_number: 1,
  lora: true,
  learning_rate: 6e-3,
  n_epochs: 3,
  batch_size: 8,
  steps: 473,
  last_loss: 0.009,
  exact_match: 0.98,
  failure: null,
  ...fields,
});
const FULL = run({ experiment_number: 2, lora: false, learning_rate: 1.5e-3, last_loss: 0.0002, exact_match: 1 });
const FAILED = run({ experiment_number: 3, lora: false, learning_rate: 0.2, last_loss: null, exact_match: null, failure: 'loss is not finite at step 28' });

const facts = (fields: Partial<SnapshotFacts> = {}): SnapshotFacts => ({
  snapshot_id: SNAPSHOT,
  training_count: 2200,
  validation_count: 200,
  training_bytes: 440_000,
  answer_shape: 'fixed-set',
  distinct_answers: 60,
  runs: [run({}), FULL, FAILED],
  ...fields,
});

const local = (body: ReturnType<typeof recommend>) => {
  const model = body.recommended_models.find((entry) => entry.base_model_id === LOCAL_BASE_MODEL);
  const experiments = body.recommended_experiments.filter((entry) => entry.base_model_id === LOCAL_BASE_MODEL);
  return { model: model!, experiments, suggested: experiments.find((entry) => entry.recommended)! };
};

describe('models', () => {
  it('recommends the one that can be trained here, first, and lists all the others as advice', () => {
    const models = recommend(facts(), CATALOGUE).recommended_models;
    expect(models.map((model) => [model.base_model_id, model.recommended])).toEqual([
      ['support-base', true],
      ['qwen2.5-0.5b', false],
      ['smollm-135m', false],
      ['qwen3-0.6b', false],
      ['gemma3-1b', false],
      ['llama3.2-1b', false],
      ['llama3.1-8b', false],
    ]);
    for (const model of models.slice(1)) expect(model.reason_for_recommendation).toContain('advice only');
  });

  it('takes the rates that were measured here and says what the formula gives', () => {
    const { model } = local(recommend(facts(), CATALOGUE));
    expect(model.full_hyperparameters).toEqual({ n_epochs: 3, batch_size: 8, learning_rate_multiplier: 1.5e-3 });
    expect(model.lora_hyperparameters).toEqual({ n_epochs: 3, batch_size: 8, learning_rate_multiplier: 6e-3 });
    expect(model.reason_for_recommendation).toContain('1.5e-3 for full training, 6e-3 for LoRA');
    expect(model.reason_for_recommendation).toContain('would give 1.07e-4 and 1.07e-3');
    expect(model.reason_for_recommendation).toContain('a rate of 0.2 failed (loss is not finite at step 28)');
    expect(model.reason_for_recommendation).toContain('about 473 steps');
  });

  it('falls back on the formula where nothing was measured, and warns', () => {
    const { model } = local(recommend(facts({ runs: [] }), CATALOGUE));
    expect(model.full_hyperparameters.learning_rate_multiplier).toBe(1.07e-4);
    expect(model.reason_for_recommendation).toContain('No run of this studio has measured its rates yet');
    expect(model.reason_for_recommendation).toContain('not calibrated');
  });

  it('compares an advised LoRA rate with the usual one and names every source', () => {
    const llama = recommend(facts(), CATALOGUE).recommended_models.find((model) => model.base_model_id === 'llama3.1-8b')!;
    expect(llama.lora_hyperparameters).toEqual({ n_epochs: 3, batch_size: 16, learning_rate_multiplier: 1.01e-4 });
    expect(llama.full_hyperparameters).toEqual({ n_epochs: 3, batch_size: 64, learning_rate_multiplier: 2.02e-5 });
    for (const source of ['Chat_finetuning_data_prep', 'hyperparam_utils', 'derivation of ours', '2x below the 2e-4 of Axolotl and Unsloth']) {
      expect(llama.reason_for_recommendation).toContain(source);
    }
  });
});

describe('full training or LoRA', () => {
  const mode = (fields: Partial<SnapshotFacts>) => (local(recommend(facts(fields), CATALOGUE)).suggested.lora ? 'lora' : 'full');

  it('follows held-out answers measured on this snapshot', () => {
    expect(mode({})).toBe('full');
    expect(mode({ runs: [run({ exact_match: 1 }), FULL] })).toBe('lora');
  });

  it('is not swayed by runs of another snapshot', () => {
    expect(mode({ runs: [run({ snapshot_id: OTHER, exact_match: 0.5 }), { ...FULL, snapshot_id: OTHER }] })).toBe('lora');
  });

  it('goes by the shape of the answers without them', () => {
    expect(mode({ runs: [] })).toBe('lora');
    expect(mode({ runs: [], answer_shape: 'tool-calls' })).toBe('lora');
    expect(mode({ runs: [], answer_shape: 'text' })).toBe('full');
  });

  it('quotes the losses for free text', () => {
    const runs = [run({ last_loss: 0.5339 }), { ...FULL, last_loss: 0.0706 }];
    expect(local(recommend(facts({ answer_shape: 'text', runs }), CATALOGUE)).model.reason_for_recommendation).toContain('a loss of 0.07 on this snapshot, LoRA 0.53');
  });
});

describe('experiments', () => {
  it('brackets the suggested rate and adds the runner-up', () => {
    const body = recommend(facts(), CATALOGUE);
    expect(
      body.recommended_experiments.map((entry) => [entry.base_model_id, entry.lora, entry.learning_rate_multiplier, entry.recommended]),
    ).toEqual([
      ['support-base', false, 1.5e-3, true],
      ['support-base', false, 5e-4, false],
      ['support-base', false, 4.5e-3, false],
      ['qwen2.5-0.5b', true, 1.88e-4, false],
    ]);
  });

  it('says which experiment has already run with these values', () => {
    const { experiments } = local(recommend(facts(), CATALOGUE));
    expect(experiments[0]?.reason_for_recommendation).toContain('Experiment 2 of this snapshot ran with these values: 100 % of the held-out answers');
    expect(experiments[1]?.reason_for_recommendation).not.toContain('of this snapshot ran');
  });

  it.each([
    ['tool-calls', 'qwen3-0.6b'],
    ['json', 'qwen2.5-0.5b'],
    ['text', 'llama3.2-1b'],
  ] as const)('takes the runner-up by shape: %s -> %s', (answer_shape, id) => {
    expect(recommend(facts({ answer_shape }), CATALOGUE).recommended_experiments.at(-1)?.base_model_id).toBe(id);
  });
});

describe('cautions', () => {
  const reason = (fields: Partial<SnapshotFacts>, id: string) =>
    recommend(facts(fields), CATALOGUE).recommended_models.find((model) => model.base_model_id === id)?.reason_for_recommendation;

  it('flags few rows, few steps, no validation rows, an uncalibrated family', () => {
    expect(reason({ training_count: 9 }, 'llama3.2-1b')).toContain('fewer than 10 training rows');
    expect(reason({ training_count: 9 }, 'llama3.2-1b')).toContain('fewer than 100 steps');
    expect(reason({ validation_count: 0 }, 'llama3.2-1b')).toContain('without validation rows');
    expect(reason({}, 'gemma3-1b')).toContain('not calibrated');
  });

  it('stays silent when there is nothing to mind', () => {
    expect(reason({}, 'llama3.2-1b')).not.toContain('Caution');
    expect(reason({}, 'support-base')).not.toContain('Caution');
  });
});

it('refuses a snapshot without training rows with a reason', () => {
  expect(() => recommend(facts({ training_count: 0 }), CATALOGUE)).toThrow('no training rows');
});

it('gives a record that the contract accepts, with readable numbers and reasons, for any facts', () => {
  const anyFacts = fc.record({
    snapshot_id: fc.constant(SNAPSHOT),
    training_count: fc.integer({ min: 1, max: 5_000_000 }),
    validation_count: fc.nat(),
    training_bytes: fc.nat(),
    answer_shape: fc.constantFrom('fixed-set', 'tool-calls', 'json', 'text'),
    distinct_answers: fc.nat(),
    runs: fc.array(
      fc.record({
        snapshot_id: fc.constantFrom(SNAPSHOT, OTHER),
        experiment_number: fc.nat(),
        lora: fc.boolean(),
        learning_rate: fc.double({ min: 1e-7, max: 1, noNaN: true }),
        n_epochs: fc.integer({ min: 1, max: 10 }),
        batch_size: fc.constantFrom(1, 8),
        steps: fc.option(fc.integer({ min: 1, max: 9999 })),
        last_loss: fc.option(fc.double({ min: 0, max: 20, noNaN: true })),
        exact_match: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        failure: fc.option(fc.constant('out of memory')),
      }),
      { maxLength: 5 },
    ),
  }) satisfies fc.Arbitrary<SnapshotFacts>;
  fc.assert(
    fc.property(anyFacts, (some) => {
      const body = recommend(some, CATALOGUE);
      const record = recommendationSchema.parse({ snapshot_id: SNAPSHOT, status: 'completed', ...body });
      expect(record.recommended_models.filter((model) => model.recommended)).toHaveLength(1);
      expect(record.recommended_experiments.filter((entry) => entry.recommended)).toHaveLength(1);
      for (const entry of record.recommended_experiments) {
        expect(entry.learning_rate_multiplier).toBeGreaterThan(0);
        expect(entry.learning_rate_multiplier).toBe(Number(entry.learning_rate_multiplier.toPrecision(3)));
        expect(entry.n_epochs).toBeGreaterThanOrEqual(1);
        expect(Math.log2(entry.batch_size) % 1).toBe(0);
      }
      for (const { reason_for_recommendation: reason } of [...record.recommended_models, ...record.recommended_experiments]) {
        expect(reason).toContain('learning_rate_multiplier is the peak learning rate itself.');
        expect(reason).not.toMatch(/NaN|Infinity|undefined|null| {2}/);
        expect(reason.length).toBeLessThan(1000);
      }
    }),
  );
});
