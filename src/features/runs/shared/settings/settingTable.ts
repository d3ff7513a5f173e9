// The settings of a training, one record each. Imports and exports derive from this table alone. Names and keys: transformers
// 5.24, TRL 1.16, PEFT 0.21, Axolotl 0.21, LLaMA-Factory 0.9.5, Unsloth, ms-swift 4.6, torchtune 0.6, litgpt 0.5, mlx-lm 0.32.
import { ADAPTER_SETTINGS } from './adapterSettings.ts';
import { METHOD_SETTINGS } from './methodSettings.ts';
import { detail, hf, type SettingRecord } from './settingRecord.ts';

/** By the name that a job's experiment has on the wire, in the order of a config. */
export const SETTINGS = {
  base_model: {
    label: 'base model',
    kind: 'text',
    names: ['base_model', 'base_model_name_or_path', 'model_name_or_path', 'model_name', 'model', '_name_or_path'],
    keys: {
      axolotl: 'base_model',
      'llama-factory': 'model_name_or_path',
      trl: 'model_name_or_path',
      unsloth: 'model_name',
      'ms-swift': 'model',
      torchtune: 'checkpointer.checkpoint_dir',
      litgpt: 'checkpoint_dir',
      peft: 'base_model_name_or_path',
    },
  },
  ...ADAPTER_SETTINGS,
  max_length: {
    label: 'sequence length',
    kind: 'count',
    names: ['max_length', 'max_seq_length', 'sequence_len', 'cutoff_len', 'tokenizer.max_seq_len', 'block_size'],
    keys: {
      axolotl: 'sequence_len',
      'llama-factory': 'cutoff_len',
      trl: 'max_length',
      unsloth: 'max_seq_length',
      'ms-swift': 'max_length',
      torchtune: 'tokenizer.max_seq_len',
      litgpt: 'train.max_seq_length',
    },
  },
  epochs: {
    label: 'epochs',
    kind: 'number',
    names: ['num_train_epochs', 'num_epochs', 'n_epochs', 'epochs', 'train.epochs'],
    keys: hf('num_train_epochs', { axolotl: 'num_epochs', torchtune: 'epochs', litgpt: 'train.epochs' }),
  },
  max_steps: {
    label: 'steps',
    kind: 'count',
    names: ['max_steps', 'training_steps', 'iters', 'max_iters', 'train.max_steps'],
    keys: hf('max_steps', { litgpt: 'train.max_steps' }),
  },
  learning_rate: {
    label: 'learning rate',
    kind: 'number',
    names: ['learning_rate', 'lr', 'optimizer.lr', 'optimizer.init_args.lr', 'peak_lr', 'max_lr'],
    keys: hf('learning_rate', { torchtune: 'optimizer.lr', litgpt: 'optimizer.init_args.lr' }),
  },
  scheduler: {
    label: 'scheduler',
    kind: 'text',
    names: ['lr_scheduler_type', 'lr_scheduler', 'lr_scheduler._component_', 'lr_schedule.name', 'scheduler'],
    keys: hf('lr_scheduler_type', { axolotl: 'lr_scheduler' }),
  },
  lr_scheduler_kwargs: detail('settings of the scheduler', 'json', 'lr_scheduler_kwargs', hf('lr_scheduler_kwargs')),
  warmup_steps: {
    label: 'warm-up steps',
    kind: 'amount',
    names: ['warmup_steps', 'lr_scheduler_warmup_steps', 'lr_scheduler.num_warmup_steps', 'lr_schedule.warmup'],
    keys: hf('warmup_steps', { torchtune: 'lr_scheduler.num_warmup_steps', litgpt: 'train.lr_warmup_steps' }),
  },
  // transformers 5 has the share in warmup_steps.
  warmup_ratio: {
    label: 'warm-up share',
    kind: 'amount',
    names: ['warmup_ratio', 'lr_scheduler_warmup_ratio'],
    keys: hf('warmup_ratio', { trl: 'warmup_steps', unsloth: 'warmup_steps', 'ms-swift': 'warmup_steps' }),
  },
  optimizer: {
    label: 'optimizer',
    kind: 'text',
    names: ['optim', 'optimizer', 'optimizer._component_', 'optimizer.class_path', 'optimizer_type'],
    keys: hf('optim', { axolotl: 'optimizer' }),
  },
  weight_decay: {
    label: 'weight decay',
    kind: 'number',
    names: ['weight_decay', 'optimizer.weight_decay', 'optimizer.init_args.weight_decay'],
    keys: hf('weight_decay', { torchtune: 'optimizer.weight_decay', litgpt: 'optimizer.init_args.weight_decay' }),
  },
  adam_beta1: detail('Adam beta 1', 'number', 'adam_beta1', hf('adam_beta1')),
  adam_beta2: detail('Adam beta 2', 'number', 'adam_beta2', hf('adam_beta2')),
  adam_epsilon: detail('Adam epsilon', 'number', 'adam_epsilon', hf('adam_epsilon')),
  max_grad_norm: detail(
    'gradient clipping',
    'number',
    'max_grad_norm',
    hf('max_grad_norm', { torchtune: 'clip_grad_norm' }),
  ),
  label_smoothing_factor: detail(
    'label smoothing',
    'number',
    'label_smoothing_factor',
    {
      trl: 'label_smoothing_factor',
      unsloth: 'label_smoothing_factor',
      'llama-factory': 'label_smoothing_factor',
      'ms-swift': 'label_smoothing_factor',
    },
    { usual: '0' },
  ),
  neftune_noise_alpha: detail('NEFTune noise', 'number', 'neftune_noise_alpha', hf('neftune_noise_alpha')),
  seed: {
    label: 'seed',
    kind: 'number',
    names: ['seed', 'random_seed'],
    keys: hf('seed', { torchtune: 'seed', litgpt: 'seed' }),
  },
  bf16: detail('bf16', 'flag', 'bf16', hf('bf16')),
  fp16: detail('fp16', 'flag', 'fp16', hf('fp16')),
  tf32: detail('tf32', 'flag', 'tf32', hf('tf32')),
  gradient_checkpointing: detail(
    'gradient checkpointing',
    'flag',
    'gradient_checkpointing',
    hf('gradient_checkpointing', {
      unsloth: undefined,
      torchtune: 'enable_activation_checkpointing',
    }),
  ),
  ...METHOD_SETTINGS,
  per_device_train_batch_size: {
    label: 'rows of a device',
    kind: 'count',
    names: [
      'per_device_train_batch_size',
      'micro_batch_size',
      'device_batch_size',
      'train_batch_size',
      'batch_size',
      'train.micro_batch_size',
    ],
    keys: hf('per_device_train_batch_size', {
      axolotl: 'micro_batch_size',
      torchtune: 'batch_size',
      litgpt: 'train.micro_batch_size',
    }),
    isDetail: true,
  },
  gradient_accumulation_steps: {
    label: 'gradient accumulation',
    kind: 'count',
    names: ['gradient_accumulation_steps', 'grad_accumulation_steps', 'gradient_accumulation'],
    keys: hf('gradient_accumulation_steps', { torchtune: 'gradient_accumulation_steps' }),
    isDetail: true,
  },
} as const satisfies Record<string, SettingRecord>;

export type TableName = keyof typeof SETTINGS;

export const SETTING_ENTRIES = Object.entries(SETTINGS) as readonly (readonly [TableName, SettingRecord])[];
