import { describe, expect, it } from 'vitest';
import { toTestCandidate } from './candidate.fixture.ts';
import { CONFIGS, formatOf, toTestInput } from './exports/exportFormats.fixture.ts';
import { toRecipe } from './defaultTrainingSettings.ts';

const toGiven = (given: Readonly<Record<string, string | number>>) =>
  toTestCandidate('k', {
    extras: Object.entries(given).map(([name, value]) => ({
      name,
      kind: typeof value === 'number' ? ('number' as const) : ('text' as const),
      value,
    })),
  });

describe('the scheduler', () => {
  it.each(['linear', 'cosine', 'constant', 'constant_with_warmup', 'polynomial'])(
    'is the service’s where trainers share the name: %s',
    (scheduler) => {
      const recipe = toRecipe(toGiven({ scheduler }));
      expect(recipe).toMatchObject({ scheduler, schedulerNote: null });
      expect(recipe.note).not.toContain('scheduler');
    },
  );

  it('is a cosine where the service gave one with a floor, and every config says what is missing', () => {
    const candidate = toGiven({ scheduler: 'cosine to 10 %' });
    expect(toRecipe(candidate).scheduler).toBe('cosine');
    for (const { toText } of CONFIGS)
      expect(toText(toTestInput([candidate]))).toMatch(
        /# .*the service gave a cosine to 10 %: the floor of 10 % is not set$/m,
      );
  });

  it('is linear where trainers have no name for it, and every config says so', () => {
    const candidate = toGiven({ scheduler: 'warp\n9' });
    expect(toRecipe(candidate).scheduler).toBe('linear');
    expect(toRecipe(candidate).note).toContain('linear scheduler');
    for (const { toText } of CONFIGS)
      expect(toText(toTestInput([candidate]))).toMatch(
        /# .*the service gave "warp 9", which trainers have no name for: linear is written$/m,
      );
  });

  it('has no warm-up of ours where it is constant, and keeps one that the service gave', () => {
    expect(toRecipe(toGiven({ scheduler: 'constant' })).warmupSteps).toBe(0);
    expect(toRecipe(toGiven({ scheduler: 'constant', warmup_steps: 5 }))).toMatchObject({
      scheduler: 'constant_with_warmup',
      warmupSteps: 5,
    });
  });
});

describe('the optimizer and the weight decay', () => {
  it('are the service’s where trainers share the name', () => {
    const given = toRecipe(toGiven({ optimizer: 'adafactor', weight_decay: 0.1 }));
    expect(given).toMatchObject({ optimizer: 'adafactor', optimizerNote: null, weightDecay: 0.1 });
    expect(given.note).not.toMatch(/optimizer|decay/);
    expect(toRecipe(toGiven({ optimizer: 'AdamW' }))).toMatchObject({ optimizer: 'adamw_torch', optimizerNote: null });
  });

  it('are PyTorch’s AdamW without decay where nothing usable was given', () => {
    expect(toRecipe(toGiven({}))).toMatchObject({ optimizer: 'adamw_torch', optimizerNote: null, weightDecay: 0 });
    expect(toRecipe(toGiven({ optimizer: 'muon', weight_decay: -1 }))).toMatchObject({
      optimizer: 'adamw_torch',
      optimizerNote: 'the service gave "muon", which trainers have no name for: adamw_torch is written',
      weightDecay: 0,
    });
  });

  it('leave no default to Unsloth, which has others than TRL', () => {
    expect(formatOf('unsloth').toText(toTestInput([toGiven({ weight_decay: 0.01 })]))).toContain(
      '    optim="adamw_torch",\n    weight_decay=0.01,\n    auto_find_batch_size=False,\n',
    );
  });

  it('name the library of 8-bit optimizers in what TRL needs', () => {
    const toTrl = (optimizer: string) => formatOf('trl').toText(toTestInput([toGiven({ optimizer })]));
    expect(toTrl('adamw_8bit')).toContain('pip install "trl[peft]>=1.1" tensorboard bitsandbytes,');
    expect(toTrl('sgd')).not.toContain('bitsandbytes');
  });
});
