// The values in trainers' configs: what the service gave, and a comment where it gave nothing usable.
import { describe, expect, it } from 'vitest';
import { toAxolotlConfig } from './axolotlConfig.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { CONFIGS, EVERY_WAY, readYaml, toTestInput } from './exportFormats.fixture.ts';
import { toLlamaFactoryConfig } from './llamaFactoryConfig.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { findConfigGap } from '#features/experiments/shared/trainingFacts.ts';
import { toTrlConfig } from './trlConfig.ts';
import { toUnslothConfig } from './unslothConfig.ts';

describe('values', () => {
  const of = (training_type: string | null, more: Partial<Candidate> = {}) =>
    toTestInput([toTestCandidate('k', { training_type, ...more })]);

  it('are what the service gave', () => {
    expect(readYaml(toAxolotlConfig(of('lora')))[0]).toEqual({
      base_model: 'Qwen/Qwen3-0.6B',
      adapter: 'lora',
      lora_r: 16,
      lora_alpha: 32,
      lora_dropout: 0,
      lora_target_linear: true,
      chat_template: 'qwen3',
      special_tokens: { eos_token: '<|im_end|>' },
      sequence_len: 2048,
      train_on_inputs: false,
      datasets: [
        {
          path: 'training.jsonl',
          ds_type: 'json',
          type: 'chat_template',
          field_messages: 'messages',
          field_tools: 'tools',
          message_field_training: 'weight',
          message_field_training_detail: 'train_detail',
          roles_to_train: ['assistant'],
        },
      ],
      num_epochs: 3,
      micro_batch_size: 4,
      gradient_accumulation_steps: 2,
      learning_rate: 2e-4,
      lr_scheduler: 'linear',
      warmup_steps: 10,
      optimizer: 'adamw_torch',
      weight_decay: 0,
      sample_packing: false,
      seed: 42,
      bf16: 'auto',
      gradient_checkpointing: true,
      output_dir: 'outputs/1-qwen3-0-6b-lora-1',
    });
    expect(readYaml(toLlamaFactoryConfig(of('full')))[0]).toMatchObject({
      model_name_or_path: 'Qwen/Qwen3-0.6B',
      finetuning_type: 'full',
      template: 'qwen3',
      learning_rate: 2e-4,
      per_device_train_batch_size: 4,
      gradient_accumulation_steps: 2,
    });
    expect(toShellWords(toTrlConfig(of('lora'))).join(' ')).toContain(
      '--use_peft --lora_r 16 --lora_alpha 32 --lora_dropout 0 --lora_target_modules all-linear --num_train_epochs 3 ' +
        '--per_device_train_batch_size 4 --gradient_accumulation_steps 2',
    );
    expect(toUnslothConfig(of('full'))).toContain('    full_finetuning=True,');
    expect(toUnslothConfig(of('full'))).not.toContain('get_peft_model');
  });

  it('make QLoRA four bits wide', () => {
    expect(readYaml(toAxolotlConfig(of('qlora')))[0]).toMatchObject({ adapter: 'qlora', load_in_4bit: true });
    expect(readYaml(toLlamaFactoryConfig(of('qlora')))[0]).toMatchObject({
      finetuning_type: 'lora',
      quantization_bit: 4,
    });
    expect(toShellWords(toTrlConfig(of('qlora')))).toContain('--load_in_4bit');
    expect(toUnslothConfig(of('qlora'))).toContain('load_in_4bit=True');
  });

  it('take no other field for the rank, and say whose each number is', () => {
    const given = (name: string) => [{ name, kind: 'number' as const, value: 3 }];
    for (const name of ['rank', 'alpha'])
      expect(toTrlConfig(of('lora', { extras: given(name) }))).toContain('--lora_r 16 \\\n  --lora_alpha 32');
    const own = toTrlConfig(of('lora', { extras: given('lora_alpha') }));
    expect(own).toContain('--lora_r 16 \\\n  --lora_alpha 3 ');
    expect(own).not.toContain("these are TRL's defaults");
    expect(own).toContain("alpha is the service's");
  });

  it('name what has to be installed', () => {
    expect(toTrlConfig(of('qlora'))).toContain('pip install "trl[peft]>=1.1" tensorboard bitsandbytes,');
    expect(toTrlConfig(of('lora'))).not.toContain('bitsandbytes');
  });

  it('take the rank that the service gave', () => {
    const extras = [{ name: 'lora_rank', kind: 'number' as const, value: 64 }];
    expect(readYaml(toAxolotlConfig(of('lora', { extras })))[0]).toMatchObject({ lora_r: 64, lora_alpha: 128 });
    expect(toAxolotlConfig(of('lora', { extras }))).not.toContain('gave no rank');
    expect(toAxolotlConfig(of('lora'))).toContain('gave no rank');
  });

  it('are a comment where nothing usable was given', () => {
    const empty = of('dora', {
      base_model_id: 'gemma3-1b',
      n_epochs: null,
      batch_size: 0,
      learning_rate_multiplier: null,
    });
    for (const { language, toText } of CONFIGS) {
      const text = toText(empty);
      for (const part of [
        'gemma3-1b',
        '"dora" has no counterpart here',
        'epochs: not given',
        language === 'python' ? 'LEARNING_RATE = None  # not given' : 'learning_rate: not given',
        'the service gave 0, which is not a batch size',
      ])
        expect(text).toContain(part);
    }
    expect(readYaml(toAxolotlConfig(empty))[0]).not.toHaveProperty('base_model');
    expect(toTrlConfig(empty)).toContain('${BASE_MODEL:?');
  });

  it('say what is left to do', () => {
    expect(findConfigGap(of('lora'))).toBe('Fill in the training data: comments say where.');
    expect(findConfigGap(toTestInput(EVERY_WAY))).toBe(
      'Fill in the training data, the base model of 5, the learning rate of 5, the number of epochs of 5, the ' +
        'batch size of 5 and the way of training of 4: comments say where.',
    );
    expect(findConfigGap(toTestInput([]))).toBeNull();
  });
});

describe('several snapshots and base models', () => {
  const mixed = toTestInput(
    [
      toTestCandidate('a', { snapshot_id: 's1', base_model_id: 'small-base' }),
      toTestCandidate('b', { snapshot_id: 's2', base_model_id: 'large-base' }),
      toTestCandidate('c', { snapshot_id: 's1', base_model_id: 'qwen3-0.6b' }),
    ],
    { snapshot_id: null },
  );

  it('have a variable or file of their own', () => {
    const words = toShellWords(toTrlConfig(mixed)).join(' ');
    expect([...words.matchAll(/\$\{(\w+):\?/g)].map((match) => match[1])).toEqual([
      'BASE_MODEL_1',
      'DATASET_1',
      'BASE_MODEL_2',
      'DATASET_2',
      'DATASET_1',
    ]);
    expect(toTrlConfig(mixed)).toContain('then set BASE_MODEL_1, BASE_MODEL_2, DATASET_1, DATASET_2 and run');
    expect(toTrlConfig(mixed)).toContain('# DATASET_2: the training rows of snapshot s2');
    expect(toTrlConfig(mixed)).toContain('# BASE_MODEL_2: the studio calls it "large-base"');
    expect(readYaml(toAxolotlConfig(mixed)).map(({ datasets }) => datasets?.[0]?.['path'])).toEqual([
      'training-1.jsonl',
      'training-2.jsonl',
      'training-1.jsonl',
    ]);
    expect(readYaml(toLlamaFactoryConfig(mixed)).map((config) => config['dataset'])).toEqual([
      'training_1',
      'training_2',
      'training_1',
    ]);
    expect(toUnslothConfig(mixed).match(/^DATA = "[^"]*"/gm)).toEqual([
      'DATA = "training-1.jsonl"',
      'DATA = "training-2.jsonl"',
      'DATA = "training-1.jsonl"',
    ]);
  });

  it('need no number where there is one of each', () => {
    const one = toTrlConfig(
      toTestInput([
        toTestCandidate('a', { base_model_id: 'small-base' }),
        toTestCandidate('b', { base_model_id: 'small-base' }),
      ]),
    );
    expect(one).toContain('then set BASE_MODEL, DATASET and run');
    expect(one).not.toMatch(/DATASET_|BASE_MODEL_/);
  });
});
