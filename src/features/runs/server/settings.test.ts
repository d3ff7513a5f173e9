import { describe, expect, it } from 'vitest';
import type { ParameterValue } from './evidence.ts';
import { toSettingName, toSettings } from './settings.ts';

const read = (parameters: Record<string, ParameterValue>): Record<string, unknown> =>
  Object.fromEntries([...toSettings((name) => parameters[name])].map(([name, { value }]) => [name, value]));
/** Without the parts of a batch and of a precision. */
const readMain = (parameters: Record<string, ParameterValue>): Record<string, unknown> => {
  const parts = new Set(['per_device_train_batch_size', 'gradient_accumulation_steps', 'bf16', 'fp16']);
  return Object.fromEntries(Object.entries(read(parameters)).filter(([name]) => !parts.has(name)));
};

describe('a warm-up', () => {
  it.each<[string, Record<string, ParameterValue>, Record<string, unknown>]>([
    ['steps', { warmup_steps: 10, warmup_ratio: 0.1 }, { warmup_steps: 10 }],
    ['the share of transformers 5', { warmup_steps: 0.2 }, { warmup_ratio: 0.2 }],
    [
      'the share beside an old name that is not used any more',
      { warmup_steps: 0.1, warmup_ratio: 0 },
      { warmup_ratio: 0.1 },
    ],
    ['the share of transformers 4', { warmup_steps: 0, warmup_ratio: 0.03 }, { warmup_ratio: 0.03 }],
    ['none, which was written down', { warmup_steps: 0 }, { warmup_steps: 0 }],
    ['none of both', { warmup_steps: 0, warmup_ratio: '0.0' }, { warmup_steps: 0 }],
    ['none, as a share', { warmup_ratio: 0 }, { warmup_steps: 0 }],
    ['not written down', { warmup_steps: null }, {}],
    ['no number of steps', { warmup_steps: 1.5 }, {}],
  ])('is %s', (_case, parameters, settings) => expect(read(parameters)).toEqual(settings));
});

describe('an adapter', () => {
  it('has its variant in words', () => {
    const variant = (more: Record<string, ParameterValue>): unknown =>
      read({ peft_type: 'LORA', lora_r: 8, use_dora: false, init_lora_weights: true, rank_pattern: '{}', ...more })[
        'adapter_variant'
      ];
    expect(variant({})).toBeUndefined();
    expect(variant({ use_dora: true, use_rslora: 'True' })).toBe('DoRA, rsLoRA');
    expect(variant({ init_lora_weights: 'pissa_niter_4', rank_pattern: '{"q_proj":12}' })).toBe(
      'ranks by module, PiSSA',
    );
  });

  it.each([
    ['ADALORA', { lora_r: 8, init_r: 6, target_r: 4 }, { init_r: 6, target_r: 4 }],
    ['VERA', { r: 256, lora_alpha: 8 }, { lora_alpha: 8 }],
    ['IA3', { r: 8 }, {}],
  ])('of the type %s has no rank of LoRA', (peft_type, parameters, settings) =>
    expect(read({ peft_type, ...parameters })).toEqual({ peft_type, ...settings }),
  );

  it('of mlx-lm has its scale as a factor', () => {
    const given = { 'lora_parameters.rank': 8, 'lora_parameters.scale': 20, 'lora_parameters.dropout': 0 };
    expect(read(given)).toEqual({ lora_rank: 8, lora_alpha: 160, lora_dropout: 0 });
  });
});

it('updates for each batch of answers are no number of steps', () => {
  expect(read({ max_steps: -1, num_iterations: 1 })).toEqual({ num_iterations: 1 });
});

describe('settings under one name', () => {
  it('reads the arguments of HF and TRL', () => {
    expect(
      readMain({
        learning_rate: 0.0002,
        per_device_train_batch_size: 4,
        gradient_accumulation_steps: 8,
        num_train_epochs: 3,
        max_steps: -1,
        warmup_steps: 0,
        warmup_ratio: 0.03,
        lr_scheduler_type: 'cosine',
        optim: 'adamw_torch',
        seed: 42,
        bf16: true,
        fp16: false,
        max_length: 2048,
        model_name_or_path: null,
        _name_or_path: 'Qwen/Qwen3-0.6B',
        r: 16,
        lora_alpha: 32,
        target_modules: '["v_proj","q_proj"]',
      }),
    ).toEqual({
      base_model: 'Qwen/Qwen3-0.6B',
      learning_rate: 0.0002,
      epochs: 3,
      seed: 42,
      scheduler: 'cosine',
      optimizer: 'adamw_torch',
      warmup_ratio: 0.03,
      lora_rank: 16,
      lora_alpha: 32,
      lora_targets: 'q_proj, v_proj',
      max_length: 2048,
      batch_rows: 32,
      precision: 'bf16',
    });
  });

  it('reads the words of Axolotl, LLaMA-Factory, MLX, torchtune and litgpt', () => {
    expect(
      readMain({ micro_batch_size: 2, num_epochs: 1, sequence_len: 4096, lora_r: 8, lr_scheduler: 'linear' }),
    ).toEqual({
      batch_rows: 2,
      epochs: 1,
      max_length: 4096,
      lora_rank: 8,
      scheduler: 'linear',
    });
    expect(readMain({ cutoff_len: 1024, lora_target: 'v_proj,q_proj', lora_rank: 4 })).toEqual({
      max_length: 1024,
      lora_targets: 'q_proj, v_proj',
      lora_rank: 4,
    });
    expect(readMain({ iters: 600, 'lora_parameters.rank': 8, batch_size: 4, model: 'mlx-community/Qwen' })).toEqual({
      base_model: 'mlx-community/Qwen',
      max_steps: 600,
      lora_rank: 8,
      batch_rows: 4,
    });
    expect(
      readMain({ 'optimizer._component_': 'torch.optim.AdamW', 'optimizer.lr': 3e-4, dtype: 'torch.bf16' }),
    ).toEqual({
      optimizer: 'torch.optim.AdamW',
      learning_rate: 3e-4,
      precision: 'bf16',
    });
    const args = { 'optimizer.init_args.lr': 3e-4, 'optimizer.init_args.weight_decay': 0.01 };
    expect(readMain({ 'optimizer.class_path': 'torch.optim.AdamW', ...args })).toEqual({
      optimizer: 'torch.optim.AdamW',
      learning_rate: 3e-4,
      weight_decay: 0.01,
    });
  });

  it('reads numbers that MLflow kept as texts', () => {
    expect(readMain({ learning_rate: '5e-05', per_device_train_batch_size: '8', bf16: 'True', seed: 'none' })).toEqual({
      learning_rate: 5e-5,
      batch_rows: 8,
      precision: 'bf16',
    });
  });

  it('says of a batch that the number of devices is not known', () => {
    const parameters: Record<string, number> = { train_batch_size: 4, gradient_accumulation_steps: 2 };
    expect(toSettings((name) => parameters[name]).get('batch_rows')).toEqual({
      value: 8,
      from: ['train_batch_size', 'gradient_accumulation_steps'],
      note: 'for one device: nobody wrote down how many there were',
    });
    parameters['num_devices'] = 2;
    expect(toSettings((name) => parameters[name]).get('batch_rows')).toMatchObject({ value: 16, note: null });
    parameters['total_train_batch_size'] = 64;
    expect(toSettings((name) => parameters[name]).get('batch_rows')).toMatchObject({ value: 64, note: null });
  });

  it('takes no infinite number, no object and no empty text for a setting', () => {
    expect(read({ learning_rate: Number.POSITIVE_INFINITY, optimizer: '{"name":"x"}', seed: '', lora_r: 2.5 })).toEqual(
      {},
    );
  });
});

it.each([
  ['lr', 'learning_rate'],
  ['lora_r', 'lora_rank'],
  ['batch_size', 'batch_rows'],
  ['beta', 'beta'],
  ['world_size', 'num_devices'],
  ['logging_steps', null],
  ['constructor', null],
])('%s is the setting %s', (raw, name) => expect(toSettingName(raw)).toBe(name));
