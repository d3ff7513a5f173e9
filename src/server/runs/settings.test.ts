import { describe, expect, it } from 'vitest';
import type { ParameterValue } from './evidence.ts';
import { toSettingName, toSettings } from './settings.ts';

const read = (parameters: Record<string, ParameterValue>): Record<string, unknown> =>
  Object.fromEntries([...toSettings((name) => parameters[name])].map(([name, { value }]) => [name, value]));

describe('settings under one name', () => {
  it('reads the arguments of HF and TRL', () => {
    expect(
      read({
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

  it('reads the words of Axolotl, LLaMA-Factory, MLX and torchtune', () => {
    expect(read({ micro_batch_size: 2, num_epochs: 1, sequence_len: 4096, lora_r: 8, lr_scheduler: 'linear' })).toEqual(
      {
        batch_rows: 2,
        epochs: 1,
        max_length: 4096,
        lora_rank: 8,
        scheduler: 'linear',
      },
    );
    expect(read({ cutoff_len: 1024, lora_target: 'v_proj,q_proj', lora_rank: 4 })).toEqual({
      max_length: 1024,
      lora_targets: 'q_proj, v_proj',
      lora_rank: 4,
    });
    expect(read({ iters: 600, 'lora_parameters.rank': 8, batch_size: 4, model: 'mlx-community/Qwen' })).toEqual({
      base_model: 'mlx-community/Qwen',
      max_steps: 600,
      lora_rank: 8,
      batch_rows: 4,
    });
    expect(read({ 'optimizer._component_': 'torch.optim.AdamW', 'optimizer.lr': 3e-4, dtype: 'torch.bf16' })).toEqual({
      optimizer: 'torch.optim.AdamW',
      learning_rate: 3e-4,
      precision: 'bf16',
    });
  });

  it('reads numbers that MLflow kept as texts', () => {
    expect(read({ learning_rate: '5e-05', per_device_train_batch_size: '8', bf16: 'True', seed: 'none' })).toEqual({
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
  ['beta', null],
  ['constructor', null],
])('%s is the setting %s', (raw, name) => expect(toSettingName(raw)).toBe(name));
