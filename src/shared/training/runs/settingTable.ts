// The settings of a training, one record each: the names by which they are recognised in what trainers and trackers wrote, and
// the keys by which they are written for a trainer. Imports and exports derive from this table alone.
// Names and keys: transformers 5.24, TRL 1.16, PEFT 0.21, Axolotl 0.21, LLaMA-Factory 0.9.5, Unsloth, ms-swift 4.6,
// torchtune 0.6, litgpt 0.5, mlx-lm 0.32.

/** `peft`: the adapter_config.json of PEFT, which has no settings but those of the adapter. */
export type RunTrainer = 'axolotl' | 'llama-factory' | 'trl' | 'unsloth' | 'ms-swift' | 'torchtune' | 'litgpt' | 'peft';

/** `count`: 0 and less mean "not set". `amount`: 0 is a value too. `list`: names without an order. `json`: a list or an object. */
export type SettingKind = 'number' | 'count' | 'amount' | 'text' | 'list' | 'flag' | 'json' | 'any';

export interface SettingRecord {
  /** For people. */
  readonly label: string;
  readonly kind: SettingKind;
  /** As trainers and trackers write it, most reliable first. Nested ones with dots. */
  readonly names: readonly string[];
  /** A trainer without a key has no place for it. Nested keys with dots. */
  readonly keys: Readonly<Partial<Record<RunTrainer, string>>>;
  /** Of an adapter: other trainings don't have it. */
  readonly isOfAdapter?: true;
  /** What every trainer does without being told: such a value is neither written nor missed. As text. */
  readonly usual?: string;
  /** Only among all settings of a run, not among its facts. */
  readonly isDetail?: boolean;
}

/** The same key in trainers that take the names of transformers. */
const hf = (key: string, more: SettingRecord['keys'] = {}): SettingRecord['keys'] => ({
  axolotl: key,
  'llama-factory': key,
  trl: key,
  unsloth: key,
  'ms-swift': key,
  ...more,
});
/** Of TRL's own configs, which Unsloth patches. */
const trl = (key: string, more: SettingRecord['keys'] = {}): SettingRecord['keys'] => ({
  trl: key,
  unsloth: key,
  ...more,
});
const inPeft = (name: string): readonly string[] => [`peft_config.${name}`, `peft_config.default.${name}`];

const detail = (
  label: string,
  kind: SettingKind,
  name: string,
  keys: SettingRecord['keys'],
  more: Partial<SettingRecord> = {},
): SettingRecord => ({ label, kind, names: [name], keys, isDetail: true, ...more });

const adapter = (
  label: string,
  kind: SettingKind,
  name: string,
  keys: SettingRecord['keys'],
  more: Partial<SettingRecord> = {},
): SettingRecord => ({
  label,
  kind,
  names: [name, `peft_${name}`, ...inPeft(name)],
  keys: { peft: name, ...keys },
  isOfAdapter: true,
  isDetail: true,
  ...more,
});

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
  lora_rank: {
    label: 'LoRA rank',
    kind: 'count',
    names: ['lora_r', 'lora_rank', ...inPeft('r'), 'lora_parameters.rank', 'model.lora_rank', 'r'],
    keys: {
      axolotl: 'lora_r',
      'llama-factory': 'lora_rank',
      trl: 'lora_r',
      unsloth: 'r',
      'ms-swift': 'lora_rank',
      torchtune: 'model.lora_rank',
      litgpt: 'lora_r',
      peft: 'r',
    },
    isOfAdapter: true,
  },
  // AdaLoRA goes from one to the other, and ignores `r`.
  init_r: adapter('rank at the start', 'count', 'init_r', {}, { isDetail: false }),
  target_r: adapter('mean rank at the end', 'count', 'target_r', {}, { isDetail: false }),
  lora_alpha: {
    label: 'LoRA alpha',
    kind: 'number',
    names: ['lora_alpha', ...inPeft('lora_alpha'), 'model.lora_alpha'],
    keys: hf('lora_alpha', { torchtune: 'model.lora_alpha', litgpt: 'lora_alpha', peft: 'lora_alpha' }),
    isOfAdapter: true,
  },
  lora_dropout: {
    label: 'LoRA dropout',
    kind: 'number',
    names: ['lora_dropout', ...inPeft('lora_dropout'), 'lora_parameters.dropout', 'model.lora_dropout'],
    keys: hf('lora_dropout', { torchtune: 'model.lora_dropout', litgpt: 'lora_dropout', peft: 'lora_dropout' }),
    isOfAdapter: true,
  },
  lora_targets: {
    label: 'LoRA targets',
    kind: 'list',
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
      trl: 'lora_target_modules',
      unsloth: 'target_modules',
      'ms-swift': 'target_modules',
      peft: 'target_modules',
    },
    isOfAdapter: true,
  },
  use_rslora: adapter(
    'rank-stabilised scale',
    'flag',
    'use_rslora',
    {
      axolotl: 'peft_use_rslora',
      'llama-factory': 'use_rslora',
      trl: 'use_rslora',
      unsloth: 'use_rslora',
      'ms-swift': 'use_rslora',
    },
    { usual: 'false' },
  ),
  use_dora: adapter(
    'DoRA',
    'flag',
    'use_dora',
    {
      axolotl: 'peft_use_dora',
      'llama-factory': 'use_dora',
      trl: 'use_dora',
      'ms-swift': 'use_dora',
      torchtune: 'model.use_dora',
    },
    { usual: 'false' },
  ),
  init_lora_weights: adapter(
    'start of the adapter',
    'any',
    'init_lora_weights',
    {
      axolotl: 'peft_init_lora_weights',
      unsloth: 'init_lora_weights',
      'ms-swift': 'init_weights',
    },
    { usual: 'true' },
  ),
  modules_to_save: adapter(
    'modules trained whole',
    'list',
    'modules_to_save',
    {
      axolotl: 'lora_modules_to_save',
      'llama-factory': 'additional_target',
      trl: 'lora_modules_to_save',
      unsloth: 'modules_to_save',
      'ms-swift': 'modules_to_save',
    },
    { names: ['modules_to_save', 'lora_modules_to_save', ...inPeft('modules_to_save')] },
  ),
  rank_pattern: adapter('ranks by module', 'json', 'rank_pattern', { axolotl: 'lora_rank_pattern' }),
  alpha_pattern: adapter('alphas by module', 'json', 'alpha_pattern', { axolotl: 'lora_alpha_pattern' }),
  layers_to_transform: adapter('layers with an adapter', 'json', 'layers_to_transform', {
    axolotl: 'peft_layers_to_transform',
    unsloth: 'layers_to_transform',
  }),
  layers_pattern: adapter('name of the layers', 'any', 'layers_pattern', {
    axolotl: 'peft_layers_pattern',
    unsloth: 'layers_pattern',
  }),
  exclude_modules: adapter('modules without an adapter', 'list', 'exclude_modules', {}),
  lora_bias: adapter('trained biases', 'text', 'bias', { unsloth: 'bias', 'ms-swift': 'lora_bias' }, { usual: 'none' }),
  target_parameters: adapter(
    'LoRA parameters',
    'list',
    'target_parameters',
    {
      axolotl: 'lora_target_parameters',
      trl: 'lora_target_parameters',
      'ms-swift': 'target_parameters',
    },
    { names: ['target_parameters', 'lora_target_parameters', ...inPeft('target_parameters')] },
  ),
  trainable_token_indices: adapter('trained tokens', 'json', 'trainable_token_indices', {
    axolotl: 'peft_trainable_token_indices',
  }),
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
    names: ['learning_rate', 'lr', 'optimizer.lr', 'peak_lr', 'max_lr'],
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
    names: ['optim', 'optimizer', 'optimizer._component_', 'optimizer_type'],
    keys: hf('optim', { axolotl: 'optimizer' }),
  },
  weight_decay: {
    label: 'weight decay',
    kind: 'number',
    names: ['weight_decay', 'optimizer.weight_decay'],
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
  packing: {
    label: 'packing',
    kind: 'flag',
    names: ['packing', 'sample_packing'],
    keys: {
      axolotl: 'sample_packing',
      'llama-factory': 'packing',
      trl: 'packing',
      unsloth: 'packing',
      'ms-swift': 'packing',
    },
    usual: 'false',
  },
  packing_strategy: detail('way of packing', 'text', 'packing_strategy', trl('packing_strategy')),
  assistant_only_loss: {
    label: 'loss on answers of the assistant alone',
    kind: 'flag',
    names: ['assistant_only_loss'],
    keys: trl('assistant_only_loss'),
    usual: 'false',
  },
  completion_only_loss: {
    label: 'loss on the completion alone',
    kind: 'flag',
    names: ['completion_only_loss'],
    keys: trl('completion_only_loss'),
  },
  train_on_inputs: detail(
    'loss on prompts',
    'flag',
    'train_on_inputs',
    { axolotl: 'train_on_inputs', 'llama-factory': 'train_on_prompt' },
    {
      names: ['train_on_inputs', 'train_on_prompt'],
      usual: 'false',
    },
  ),
  loss_type: {
    label: 'loss',
    kind: 'any',
    names: ['loss_type', 'pref_loss', 'dpo_loss_type'],
    keys: trl('loss_type', { 'ms-swift': 'loss_type' }),
  },
  beta: {
    label: 'beta',
    kind: 'number',
    names: ['beta', 'pref_beta', 'rl_beta', 'dpo_beta'],
    keys: trl('beta', { 'llama-factory': 'pref_beta', axolotl: 'rl_beta', 'ms-swift': 'beta' }),
  },
  label_smoothing: detail(
    'label smoothing of the preference',
    'number',
    'label_smoothing',
    trl('label_smoothing', {
      axolotl: 'dpo_label_smoothing',
      'ms-swift': 'label_smoothing',
    }),
  ),
  desirable_weight: detail(
    'weight of wanted answers',
    'number',
    'desirable_weight',
    trl('desirable_weight', {
      axolotl: 'kto_desirable_weight',
      'llama-factory': 'kto_chosen_weight',
      'ms-swift': 'desirable_weight',
    }),
  ),
  undesirable_weight: detail(
    'weight of unwanted answers',
    'number',
    'undesirable_weight',
    trl('undesirable_weight', {
      axolotl: 'kto_undesirable_weight',
      'llama-factory': 'kto_rejected_weight',
      'ms-swift': 'undesirable_weight',
    }),
  ),
  precompute_ref_log_probs: detail(
    'reference computed first',
    'flag',
    'precompute_ref_log_probs',
    trl('precompute_ref_log_probs'),
  ),
  center_rewards_coefficient: detail(
    'centring of rewards',
    'number',
    'center_rewards_coefficient',
    trl('center_rewards_coefficient', {
      'ms-swift': 'center_rewards_coefficient',
    }),
  ),
  num_generations: {
    label: 'answers for each prompt',
    kind: 'count',
    names: ['num_generations'],
    keys: trl('num_generations', { 'ms-swift': 'num_generations' }),
  },
  max_completion_length: {
    label: 'tokens of an answer',
    kind: 'count',
    names: ['max_completion_length'],
    keys: trl('max_completion_length', { 'ms-swift': 'max_completion_length' }),
  },
  max_prompt_length: detail('tokens of a prompt', 'count', 'max_prompt_length', {}),
  reward_weights: detail(
    'weights of the rewards',
    'json',
    'reward_weights',
    trl('reward_weights', { 'ms-swift': 'reward_weights' }),
  ),
  temperature: detail('temperature', 'number', 'temperature', trl('temperature', { 'ms-swift': 'temperature' })),
  top_p: detail('top p', 'number', 'top_p', trl('top_p', { 'ms-swift': 'top_p' })),
  top_k: detail('top k', 'number', 'top_k', trl('top_k', { 'ms-swift': 'top_k' })),
  min_p: detail('min p', 'number', 'min_p', trl('min_p')),
  repetition_penalty: detail(
    'repetition penalty',
    'number',
    'repetition_penalty',
    trl('repetition_penalty', {
      'ms-swift': 'repetition_penalty',
    }),
  ),
  num_iterations: detail(
    'updates for each batch of answers',
    'count',
    'num_iterations',
    trl('num_iterations', { 'ms-swift': 'num_iterations' }),
  ),
  steps_per_generation: detail(
    'steps for each batch of answers',
    'count',
    'steps_per_generation',
    trl('steps_per_generation', {
      'ms-swift': 'steps_per_generation',
    }),
  ),
  epsilon: detail('clipping of the ratio', 'number', 'epsilon', trl('epsilon', { 'ms-swift': 'epsilon' })),
  epsilon_high: detail(
    'upper clipping of the ratio',
    'number',
    'epsilon_high',
    trl('epsilon_high', { 'ms-swift': 'epsilon_high' }),
  ),
  delta: detail('upper bound of the ratio', 'number', 'delta', trl('delta', { 'ms-swift': 'delta' })),
  scale_rewards: detail(
    'scaling of rewards',
    'any',
    'scale_rewards',
    trl('scale_rewards', { 'ms-swift': 'scale_rewards' }),
  ),
  normalize_advantages: detail('normalised advantages', 'flag', 'normalize_advantages', trl('normalize_advantages')),
  importance_sampling_level: detail(
    'level of importance sampling',
    'text',
    'importance_sampling_level',
    trl('importance_sampling_level', {
      'ms-swift': 'importance_sampling_level',
    }),
  ),
  mask_truncated_completions: detail(
    'cut answers left out',
    'flag',
    'mask_truncated_completions',
    trl('mask_truncated_completions'),
  ),
  disable_dropout: detail('no dropout', 'flag', 'disable_dropout', trl('disable_dropout')),
  teacher_model_name_or_path: detail(
    'teacher',
    'text',
    'teacher_model_name_or_path',
    trl('teacher_model_name_or_path'),
  ),
  lmbda: detail('share of own answers', 'number', 'lmbda', {}),
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
