// What counts for the loss, and the settings of single methods, in the order of a config.
import { detail, trl, type SettingRecord } from './settingRecord.ts';

export const METHOD_SETTINGS = {
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
} as const satisfies Record<string, SettingRecord>;
