// The settings of a training, one record each. Imports and exports derive from this table alone. Names and keys: transformers
// 5.24, TRL 1.16, PEFT 0.21, Axolotl 0.21, LLaMA-Factory 0.9.5, Unsloth, ms-swift 4.6, torchtune 0.6, litgpt 0.5, mlx-lm 0.32.
import {
  inPeft,
  setting,
  toAdapterSettings,
  toSettings,
  type RunTrainer,
  type SettingRecord,
} from './settingRecord.ts';

/** Trainers that take the names of transformers, and those of TRL's own configs, which Unsloth patches. */
const HF: readonly RunTrainer[] = ['axolotl', 'llama-factory', 'trl', 'unsloth', 'ms-swift'];
const HF_BUT_AXOLOTL = HF.slice(1);
const TRL_AND_SWIFT = HF.slice(2);
const TRL = HF.slice(2, 4);
const NONE: readonly RunTrainer[] = [];

const BASE = toSettings({
  base_model: setting('base model', 'text', HF, {
    names: ['base_model', 'base_model_name_or_path', 'model_name_or_path', 'model_name', 'model', '_name_or_path'],
    keys: {
      litgpt: 'checkpoint_dir',
      'llama-factory': 'model_name_or_path',
      'ms-swift': 'model',
      peft: 'base_model_name_or_path',
      torchtune: 'checkpointer.checkpoint_dir',
      trl: 'model_name_or_path',
      unsloth: 'model_name',
    },
    isFact: true,
  }),
});

const ADAPTER = toAdapterSettings({
  lora_rank: setting('LoRA rank', 'count', HF, {
    names: ['lora_r', 'lora_rank', ...inPeft('r'), 'lora_parameters.rank', 'model.lora_rank', 'r'],
    keys: { axolotl: 'lora_r', litgpt: 'lora_r', peft: 'r', torchtune: 'model.lora_rank', trl: 'lora_r', unsloth: 'r' },
    isFact: true,
  }),
  // AdaLoRA goes from one to the other, and ignores `r`.
  init_r: setting('rank at the start', 'count', NONE, { isFact: true }),
  target_r: setting('mean rank at the end', 'count', NONE, { isFact: true }),
  lora_alpha: setting('LoRA alpha', 'number', HF, {
    names: ['lora_alpha', ...inPeft('lora_alpha'), 'model.lora_alpha'],
    keys: { litgpt: 'lora_alpha', torchtune: 'model.lora_alpha' },
    isFact: true,
  }),
  lora_dropout: setting('LoRA dropout', 'number', HF, {
    names: ['lora_dropout', ...inPeft('lora_dropout'), 'lora_parameters.dropout', 'model.lora_dropout'],
    keys: { litgpt: 'lora_dropout', torchtune: 'model.lora_dropout' },
    isFact: true,
  }),
  lora_targets: setting('LoRA targets', 'list', NONE, {
    names: [
      'lora_target_modules',
      ...inPeft('target_modules'),
      'target_modules',
      'lora_target',
      'lora_parameters.keys',
      'model.lora_attn_modules',
    ],
    keys: {
      axolotl: 'lora_target_modules',
      'llama-factory': 'lora_target',
      'ms-swift': 'target_modules',
      peft: 'target_modules',
      trl: 'lora_target_modules',
      unsloth: 'target_modules',
    },
    isFact: true,
  }),
  use_rslora: setting('rank-stabilised scale', 'flag', HF, { keys: { axolotl: 'peft_use_rslora' }, usual: 'false' }),
  use_dora: setting('DoRA', 'flag', NONE, {
    keys: {
      axolotl: 'peft_use_dora',
      'llama-factory': 'use_dora',
      'ms-swift': 'use_dora',
      torchtune: 'model.use_dora',
      trl: 'use_dora',
    },
    usual: 'false',
  }),
  init_lora_weights: setting('start of the adapter', 'any', NONE, {
    keys: { axolotl: 'peft_init_lora_weights', 'ms-swift': 'init_weights', unsloth: 'init_lora_weights' },
    usual: 'true',
  }),
  modules_to_save: setting('modules trained whole', 'list', HF, {
    names: ['modules_to_save', 'lora_modules_to_save', ...inPeft('modules_to_save')],
    keys: { axolotl: 'lora_modules_to_save', 'llama-factory': 'additional_target', trl: 'lora_modules_to_save' },
  }),
  rank_pattern: setting('ranks by module', 'json', NONE, { keys: { axolotl: 'lora_rank_pattern' } }),
  alpha_pattern: setting('alphas by module', 'json', NONE, { keys: { axolotl: 'lora_alpha_pattern' } }),
  layers_to_transform: setting('layers with an adapter', 'json', NONE, {
    keys: { axolotl: 'peft_layers_to_transform', unsloth: 'layers_to_transform' },
  }),
  layers_pattern: setting('name of the layers', 'any', NONE, {
    keys: { axolotl: 'peft_layers_pattern', unsloth: 'layers_pattern' },
  }),
  exclude_modules: setting('modules without an adapter', 'list', NONE),
  lora_bias: setting('trained biases', 'text', NONE, {
    names: ['bias', 'peft_bias', ...inPeft('bias')],
    keys: { 'ms-swift': 'lora_bias', peft: 'bias', unsloth: 'bias' },
    usual: 'none',
  }),
  target_parameters: setting('LoRA parameters', 'list', NONE, {
    names: ['target_parameters', 'lora_target_parameters', ...inPeft('target_parameters')],
    keys: { axolotl: 'lora_target_parameters', 'ms-swift': 'target_parameters', trl: 'lora_target_parameters' },
  }),
  trainable_token_indices: setting('trained tokens', 'json', NONE, {
    keys: { axolotl: 'peft_trainable_token_indices' },
  }),
});

const TRAINING = toSettings({
  max_length: setting('sequence length', 'count', HF, {
    names: ['max_length', 'max_seq_length', 'sequence_len', 'cutoff_len', 'tokenizer.max_seq_len', 'block_size'],
    keys: {
      axolotl: 'sequence_len',
      litgpt: 'train.max_seq_length',
      'llama-factory': 'cutoff_len',
      torchtune: 'tokenizer.max_seq_len',
      unsloth: 'max_seq_length',
    },
    isFact: true,
  }),
  epochs: setting('epochs', 'number', HF, {
    key: 'num_train_epochs',
    names: ['num_train_epochs', 'num_epochs', 'n_epochs', 'epochs', 'train.epochs'],
    keys: { axolotl: 'num_epochs', litgpt: 'train.epochs', torchtune: 'epochs' },
    isFact: true,
  }),
  max_steps: setting('steps', 'count', HF, {
    names: ['max_steps', 'training_steps', 'iters', 'max_iters', 'train.max_steps'],
    keys: { litgpt: 'train.max_steps' },
    isFact: true,
  }),
  learning_rate: setting('learning rate', 'number', HF, {
    names: ['learning_rate', 'lr', 'optimizer.lr', 'optimizer.init_args.lr', 'peak_lr', 'max_lr'],
    keys: { litgpt: 'optimizer.init_args.lr', torchtune: 'optimizer.lr' },
    isFact: true,
  }),
  scheduler: setting('scheduler', 'text', HF, {
    key: 'lr_scheduler_type',
    names: ['lr_scheduler_type', 'lr_scheduler', 'lr_scheduler._component_', 'lr_schedule.name', 'scheduler'],
    keys: { axolotl: 'lr_scheduler' },
    isFact: true,
  }),
  lr_scheduler_kwargs: setting('settings of the scheduler', 'json', HF),
  warmup_steps: setting('warm-up steps', 'amount', HF, {
    names: ['warmup_steps', 'lr_scheduler_warmup_steps', 'lr_scheduler.num_warmup_steps', 'lr_schedule.warmup'],
    keys: { litgpt: 'train.lr_warmup_steps', torchtune: 'lr_scheduler.num_warmup_steps' },
    isFact: true,
  }),
  // transformers 5 has the share in warmup_steps.
  warmup_ratio: setting('warm-up share', 'amount', HF, {
    names: ['warmup_ratio', 'lr_scheduler_warmup_ratio'],
    keys: { 'ms-swift': 'warmup_steps', trl: 'warmup_steps', unsloth: 'warmup_steps' },
    isFact: true,
  }),
  optimizer: setting('optimizer', 'text', HF, {
    key: 'optim',
    names: ['optim', 'optimizer', 'optimizer._component_', 'optimizer.class_path', 'optimizer_type'],
    keys: { axolotl: 'optimizer' },
    isFact: true,
  }),
  weight_decay: setting('weight decay', 'number', HF, {
    names: ['weight_decay', 'optimizer.weight_decay', 'optimizer.init_args.weight_decay'],
    keys: { litgpt: 'optimizer.init_args.weight_decay', torchtune: 'optimizer.weight_decay' },
    isFact: true,
  }),
  adam_beta1: setting('Adam beta 1', 'number', HF),
  adam_beta2: setting('Adam beta 2', 'number', HF),
  adam_epsilon: setting('Adam epsilon', 'number', HF),
  max_grad_norm: setting('gradient clipping', 'number', HF, { keys: { torchtune: 'clip_grad_norm' } }),
  label_smoothing_factor: setting('label smoothing', 'number', HF_BUT_AXOLOTL, { usual: '0' }),
  neftune_noise_alpha: setting('NEFTune noise', 'number', HF),
  seed: setting('seed', 'number', HF, {
    names: ['seed', 'random_seed'],
    keys: { litgpt: 'seed', torchtune: 'seed' },
    isFact: true,
  }),
  bf16: setting('bf16', 'flag', HF),
  fp16: setting('fp16', 'flag', HF),
  tf32: setting('tf32', 'flag', HF),
  gradient_checkpointing: setting('gradient checkpointing', 'flag', NONE, {
    keys: {
      axolotl: 'gradient_checkpointing',
      'llama-factory': 'gradient_checkpointing',
      'ms-swift': 'gradient_checkpointing',
      torchtune: 'enable_activation_checkpointing',
      trl: 'gradient_checkpointing',
    },
  }),
  packing: setting('packing', 'flag', HF, {
    names: ['packing', 'sample_packing'],
    keys: { axolotl: 'sample_packing' },
    usual: 'false',
    isFact: true,
  }),
  packing_strategy: setting('way of packing', 'text', TRL),
  assistant_only_loss: setting('loss on answers of the assistant alone', 'flag', TRL, { usual: 'false', isFact: true }),
  completion_only_loss: setting('loss on the completion alone', 'flag', TRL, { isFact: true }),
  train_on_inputs: setting('loss on prompts', 'flag', NONE, {
    names: ['train_on_inputs', 'train_on_prompt'],
    keys: { axolotl: 'train_on_inputs', 'llama-factory': 'train_on_prompt' },
    usual: 'false',
  }),
  loss_type: setting('loss', 'any', TRL_AND_SWIFT, {
    names: ['loss_type', 'pref_loss', 'dpo_loss_type'],
    isFact: true,
  }),
  beta: setting('beta', 'number', HF, {
    names: ['beta', 'pref_beta', 'rl_beta', 'dpo_beta'],
    keys: { axolotl: 'rl_beta', 'llama-factory': 'pref_beta' },
    isFact: true,
  }),
  label_smoothing: setting('label smoothing of the preference', 'number', TRL_AND_SWIFT, {
    keys: { axolotl: 'dpo_label_smoothing' },
  }),
  desirable_weight: setting('weight of wanted answers', 'number', HF, {
    keys: { axolotl: 'kto_desirable_weight', 'llama-factory': 'kto_chosen_weight' },
  }),
  undesirable_weight: setting('weight of unwanted answers', 'number', HF, {
    keys: { axolotl: 'kto_undesirable_weight', 'llama-factory': 'kto_rejected_weight' },
  }),
  precompute_ref_log_probs: setting('reference computed first', 'flag', TRL),
  center_rewards_coefficient: setting('centring of rewards', 'number', TRL_AND_SWIFT),
  num_generations: setting('answers for each prompt', 'count', TRL_AND_SWIFT, { isFact: true }),
  max_completion_length: setting('tokens of an answer', 'count', TRL_AND_SWIFT, { isFact: true }),
  max_prompt_length: setting('tokens of a prompt', 'count', NONE),
  reward_weights: setting('weights of the rewards', 'json', TRL_AND_SWIFT),
  temperature: setting('temperature', 'number', TRL_AND_SWIFT),
  top_p: setting('top p', 'number', TRL_AND_SWIFT),
  top_k: setting('top k', 'number', TRL_AND_SWIFT),
  min_p: setting('min p', 'number', TRL),
  repetition_penalty: setting('repetition penalty', 'number', TRL_AND_SWIFT),
  num_iterations: setting('updates for each batch of answers', 'count', TRL_AND_SWIFT),
  steps_per_generation: setting('steps for each batch of answers', 'count', TRL_AND_SWIFT),
  epsilon: setting('clipping of the ratio', 'number', TRL_AND_SWIFT),
  epsilon_high: setting('upper clipping of the ratio', 'number', TRL_AND_SWIFT),
  delta: setting('upper bound of the ratio', 'number', TRL_AND_SWIFT),
  scale_rewards: setting('scaling of rewards', 'any', TRL_AND_SWIFT),
  normalize_advantages: setting('normalised advantages', 'flag', TRL),
  importance_sampling_level: setting('level of importance sampling', 'text', TRL_AND_SWIFT),
  mask_truncated_completions: setting('cut answers left out', 'flag', TRL),
  disable_dropout: setting('no dropout', 'flag', TRL),
  teacher_model_name_or_path: setting('teacher', 'text', TRL),
  lmbda: setting('share of own answers', 'number', NONE),
  per_device_train_batch_size: setting('rows of a device', 'count', HF, {
    names: [
      'per_device_train_batch_size',
      'micro_batch_size',
      'device_batch_size',
      'train_batch_size',
      'batch_size',
      'train.micro_batch_size',
    ],
    keys: { axolotl: 'micro_batch_size', litgpt: 'train.micro_batch_size', torchtune: 'batch_size' },
  }),
  gradient_accumulation_steps: setting('gradient accumulation', 'count', HF, {
    names: ['gradient_accumulation_steps', 'grad_accumulation_steps', 'gradient_accumulation'],
    keys: { torchtune: 'gradient_accumulation_steps' },
  }),
});

/** By the name that a job's experiment has on the wire, in the order of a config. */
export const SETTINGS = { ...BASE, ...ADAPTER, ...TRAINING };

export type TableName = keyof typeof SETTINGS;

export const SETTING_ENTRIES = Object.entries(SETTINGS) as readonly (readonly [TableName, SettingRecord])[];
