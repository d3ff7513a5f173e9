// The settings of adapters, in the order of a config.
import { hf, inPeft, type SettingKind, type SettingRecord } from './settingRecord.ts';

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

export const ADAPTER_SETTINGS = {
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
} as const satisfies Record<string, SettingRecord>;
