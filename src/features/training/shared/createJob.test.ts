import { toChosen } from '#core/contract/trainingSettings.ts';
import { describe, expect, it } from 'vitest';
import { toIssue } from '#core/contract/issues.ts';
import {
  createdJobSchema,
  createJobSchema,
  generateRecommendationSchema,
  idempotencyKeySchema,
  toNewTrainingType,
} from './createJob.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const RUN = { base_model_id: 'support-base', batch_size: 8, n_epochs: 3, learning_rate_multiplier: 0.006, lora: true };

const parse = (experiment: object, job: object = {}) =>
  createJobSchema.safeParse({ snapshot_id: ID, name: 'First', experiments: [experiment], ...job });

function problemOf(experiment: object, job: object = {}) {
  const { error } = parse(experiment, job);
  return error ? toIssue(error.issues) : null;
}

describe('a new job', () => {
  it('takes the rows of a recommendation as they are', () => {
    const { data } = parse({ ...RUN, recommended: true, reason_for_recommendation: 'because' });
    expect(data).toEqual({ snapshot_id: ID, name: 'First', experiments: [RUN] });
  });

  it.each([
    ['full', { lora: false }],
    ['lora', { lora: true }],
    ['lora', { lora: undefined, training_type: 'lora' }],
    ['qlora', { lora: true, training_type: 'qlora' }],
    ['full', { lora: false, training_type: 'full' }],
  ] as const)('trains %s with %j', (type, fields) => {
    const { data, error } = parse({ ...RUN, ...fields });
    expect(error).toBeUndefined();
    expect(data?.experiments.map(toNewTrainingType)).toEqual([type]);
  });

  it('takes the settings of a training, of which null is as good as none', () => {
    const chosen = { lora_rank: 16, lora_dropout: 0.1, target_modules: ['q_proj'], seed: 0, scheduler: 'linear' };
    const { data, error } = parse({ ...RUN, ...chosen, weight_decay: null });
    expect(error).toBeUndefined();
    expect(data?.experiments[0]).toMatchObject(chosen);
    expect(problemOf({ ...RUN, lora: false, lora_rank: null, seed: 4 })).toBeNull();
  });

  it('refuses a setting of an adapter where all weights are trained', () => {
    for (const full of [{ lora: false }, { lora: undefined, training_type: 'full' }])
      expect(problemOf({ ...RUN, ...full, lora_alpha: 16 })).toEqual({
        param: 'experiments[0].lora_alpha',
        message:
          'experiments[0].lora_alpha is a setting of an adapter, and the run trains all weights. Leave it out, or train with LoRA.',
      });
  });

  it('names the one of several target modules that is no name', () => {
    expect(problemOf({ ...RUN, target_modules: ['q_proj', 'a b'] })?.param).toBe('experiments[0].target_modules[1]');
  });

  it.each([
    ['n_epochs', 0],
    ['n_epochs', 11],
    ['n_epochs', 1.5],
    ['batch_size', 0],
    ['batch_size', 129],
    ['batch_size', '8'],
    ['learning_rate_multiplier', 0],
    ['learning_rate_multiplier', -1],
    ['learning_rate_multiplier', 1e-320],
    ['learning_rate_multiplier', 1e308],
    ['learning_rate_multiplier', 100.1],
    ['learning_rate_multiplier', Number.POSITIVE_INFINITY],
    ['learning_rate_multiplier', Number.NaN],
    ['learning_rate_multiplier', null],
    ['lora_rank', 0],
    ['lora_rank', 257],
    ['lora_rank', 4.5],
    ['lora_rank', '8'],
    ['lora_alpha', 0],
    ['lora_dropout', 0.95],
    ['lora_dropout', -0.1],
    ['target_modules', []],
    ['target_modules', 'q_proj'],
    ['seed', -1],
    ['seed', 2 ** 31],
    ['warmup_steps', -1],
    ['warmup_steps', 0.1],
    ['weight_decay', 1.5],
    ['weight_decay', Number.NaN],
    ['scheduler', 'polynomial'],
    ['max_length', 31],
    ['objective', 'ppo'],
    ['beta', 0],
    ['base_model_id', ''],
    ['base_model_id', 'x'.repeat(257)],
    ['lora', 'yes'],
    ['training_type', 'dora'],
    ['refinetune_from_experiment_id', 'last'],
  ])('refuses %s %j and names it', (field, value) => {
    expect(problemOf({ ...RUN, [field]: value })).toMatchObject({
      param: `experiments[0].${field}`,
      message: expect.stringContaining(field) as string,
    });
  });

  it.each([{ lora: undefined }, { lora: null }, { lora: null, training_type: null }])(
    'refuses %j, which says nothing of what is trained',
    (fields) => {
      expect(problemOf({ ...RUN, ...fields })).toEqual({
        param: 'experiments[0].training_type',
        message:
          'experiments[0].training_type must be "full" or "lora" or "qlora", because lora does not say it either.',
      });
    },
  );

  it.each([
    [{ beta: 0.2 }, 'beta', 'is a setting of the objective dpo, kto, grpo, and the run has sft'],
    [{ objective: 'sft', beta: 0.2 }, 'beta', 'the run has sft'],
    [
      { objective: 'dpo', desirable_weight: 2 },
      'desirable_weight',
      'is a setting of the objective kto, and the run has dpo',
    ],
    [{ objective: 'kto', reward_function: 'exact' }, 'reward_function', 'is a setting of the objective grpo'],
    [{ objective: 'grpo' }, 'reward_function', 'is missing, and GRPO learns from the rewards of a function'],
    [{ objective: 'grpo', reward_function: '../x' }, 'reward_function', 'must be the name of a reward function'],
  ])('refuses %j, whose objective does not fit', (fields, name, reason) => {
    const problem = problemOf({ ...RUN, ...fields });
    expect(problem?.param).toBe(`experiments[0].${name}`);
    expect(problem?.message).toContain(reason);
  });

  it('takes what fits its objective, and sft as what nobody chose', () => {
    for (const fields of [
      { objective: 'dpo', beta: 0.2 },
      { objective: 'kto', desirable_weight: 2, undesirable_weight: 0 },
      { objective: 'grpo', reward_function: 'exact', beta: 0.04 },
      { objective: null, beta: null },
    ])
      expect(problemOf({ ...RUN, ...fields })).toBeNull();
    expect(toChosen({ objective: 'sft', seed: 3 })).toEqual({ seed: 3 });
  });

  it('refuses two words that do not agree', () => {
    expect(problemOf({ ...RUN, lora: true, training_type: 'full' })).toEqual({
      param: 'experiments[0].lora',
      message: 'experiments[0].lora and training_type say different things.',
    });
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 'a\u0000b' }],
    ['snapshot_id', { snapshot_id: '7' }],
    ['experiments', { experiments: [] }],
    ['experiments', { experiments: Array.from({ length: 10_000 }, () => RUN) }],
    ['experiments[0]', { experiments: [null] }],
  ])('refuses a job for its %s', (param, job) => {
    expect(problemOf(RUN, job)?.param).toBe(param);
  });

  it('takes the limits themselves', () => {
    expect(problemOf({ ...RUN, n_epochs: 10, batch_size: 128, learning_rate_multiplier: 1e-9 })).toBeNull();
    expect(problemOf({ ...RUN, learning_rate_multiplier: 100 })).toBeNull();
    expect(problemOf(RUN, { experiments: Array.from({ length: 200 }, () => RUN) })).toBeNull();
  });
});

it.each([
  ['a', true],
  ['4f9c-1', true],
  ['x'.repeat(200), true],
  ['', false],
  ['x'.repeat(201), false],
  ['two words', false],
  ['ä', false],
])('the key %j', (key, isValid) => {
  expect(idempotencyKeySchema.safeParse(key).success).toBe(isValid);
});

it('a recommendation is asked for by its snapshot, and a job answers with its id', () => {
  expect(generateRecommendationSchema.safeParse({ snapshot_id: ID, again: true }).data).toEqual({ snapshot_id: ID });
  expect(generateRecommendationSchema.safeParse({}).success).toBe(false);
  expect(createdJobSchema.safeParse({ job_id: ID }).success).toBe(true);
});
