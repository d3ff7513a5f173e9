// Settings that trainers express in other ways than by a key of their own: names that only some know, one key for two
// meanings, a key for each value.
import type { TableName } from '#features/runs/shared/settings/settingTable.ts';
import type { RunTrainer } from '#features/runs/shared/settings/settingRecord.ts';

export type Value = string | number | boolean | readonly string[] | { readonly json: object };

export interface Line {
  readonly key: string;
  readonly value: Value;
  readonly note: string | null;
}

interface Given {
  readonly name: TableName;
  readonly value: Value;
  /** By the table; undefined: it has none. */
  readonly key: string | undefined;
  readonly trainer: RunTrainer;
  readonly method: string;
}

const line = (key: string, value: Value, note: string | null = null): Line => ({ key, value, note });

/** OptimizerNames of transformers 5.24. */
const OPTIMIZERS: ReadonlySet<string> = new Set(
  (
    'adamw_torch adamw_torch_fused adamw_torch_xla adamw_torch_npu_fused adafactor adamw_anyprecision adamw_torch_4bit ' +
    'adamw_torch_8bit ademamix sgd adagrad adamw_bnb_8bit adamw_8bit ademamix_8bit lion_8bit lion_32bit ' +
    'paged_adamw_32bit paged_adamw_8bit paged_ademamix_32bit paged_ademamix_8bit paged_lion_32bit paged_lion_8bit ' +
    'rmsprop rmsprop_bnb rmsprop_bnb_8bit rmsprop_bnb_32bit galore_adamw galore_adamw_8bit galore_adafactor ' +
    'galore_adamw_layerwise galore_adamw_8bit_layerwise galore_adafactor_layerwise lomo adalomo grokadamw ' +
    'schedule_free_radam schedule_free_adamw schedule_free_sgd apollo_adamw apollo_adamw_layerwise stable_adamw'
  ).split(' '),
);
/** Other names of the AdamW of PyTorch. */
const TORCH_ADAMW = /^(?:adamw|torch\.optim\.adamw|adamw_hf)$/i;
/** SchedulerType of transformers 5.24. */
const SCHEDULERS: ReadonlySet<string> = new Set(
  (
    'linear cosine cosine_with_restarts polynomial constant constant_with_warmup inverse_sqrt reduce_lr_on_plateau ' +
    'cosine_with_min_lr cosine_warmup_with_min_lr warmup_stable_decay'
  ).split(' '),
);
const TUNE_COSINE = 'torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup';

/** Settings of TRL 1.16 that only the configs of these methods have. */
const TRL_METHODS: readonly (readonly [methods: string, names: string])[] = [
  ['sft', 'assistant_only_loss completion_only_loss packing packing_strategy'],
  ['sft dpo kto reward', 'max_length'],
  ['sft dpo kto grpo', 'loss_type'],
  ['dpo', 'label_smoothing'],
  ['dpo kto', 'precompute_ref_log_probs'],
  ['kto', 'desirable_weight undesirable_weight'],
  ['reward', 'center_rewards_coefficient'],
  ['dpo kto grpo rloo distillation', 'beta'],
  ['dpo kto grpo rloo distillation reward', 'disable_dropout'],
  ['grpo rloo distillation', 'max_completion_length min_p repetition_penalty temperature top_k top_p'],
  [
    'grpo rloo',
    'epsilon epsilon_high mask_truncated_completions num_generations num_iterations reward_weights steps_per_generation',
  ],
  ['grpo', 'delta importance_sampling_level scale_rewards'],
  ['rloo', 'normalize_advantages'],
  ['distillation', 'teacher_model_name_or_path'],
];

const isOfMethod = (name: string, method: string): boolean => {
  const row = TRL_METHODS.find(([, names]) => names.split(' ').includes(name));
  return row === undefined || row[0].split(' ').includes(method);
};

const HF: ReadonlySet<RunTrainer> = new Set(['axolotl', 'llama-factory', 'trl', 'unsloth', 'ms-swift']);

const toText = (value: Value): string => {
  if (typeof value !== 'object') return String(value);
  const list: unknown = 'json' in value ? value.json : value;
  return Array.isArray(list) && list.length === 1 ? String(list[0]) : JSON.stringify(list);
};

const toItems = (value: Value): readonly unknown[] =>
  typeof value === 'object' && 'json' in value && Array.isArray(value.json)
    ? (value.json as unknown[])
    : [toText(value)];

function toOptimizerLines({ value, key, trainer }: Given): readonly Line[] | null {
  const written = toText(value);
  const name = TORCH_ADAMW.test(written) ? 'adamw_torch' : written;
  const note = name === written ? null : `recorded as ${written}`;
  if (HF.has(trainer) && key !== undefined) return OPTIMIZERS.has(name) ? [line(key, name, note)] : null;
  if (name !== 'adamw_torch' && name !== 'adamw_torch_fused') return null;
  if (trainer === 'litgpt') return [line('optimizer', 'AdamW')];
  if (trainer !== 'torchtune') return null;
  return [line('optimizer._component_', 'torch.optim.AdamW'), line('optimizer.fused', name.endsWith('fused'))];
}

function toSchedulerLines({ value, key, trainer }: Given): readonly Line[] | null {
  const name = toText(value);
  if (HF.has(trainer) && key !== undefined) return SCHEDULERS.has(name) ? [line(key, name)] : null;
  if (trainer === 'torchtune')
    return /^cosine$|get_cosine/.test(name) ? [line('lr_scheduler._component_', TUNE_COSINE)] : null;
  // litgpt has a cosine and no other.
  return trainer === 'litgpt' && name === 'cosine' ? [] : null;
}

const BASES = ['q_proj', 'k_proj', 'v_proj', 'o_proj'] as const;
const MLP = ['gate_proj', 'up_proj', 'down_proj'] as const;
const LIT_FLAGS = ['lora_query', 'lora_key', 'lora_value', 'lora_projection'] as const;

function toTargetLines({ value, key, trainer }: Given): readonly Line[] | null {
  const names = typeof value === 'object' && !('json' in value) ? value : [toText(value)];
  const isAll = names.length === 1 && names[0] === 'all-linear';
  if (trainer === 'axolotl' && isAll) return [line('lora_target_linear', true)];
  if (trainer === 'llama-factory') return [line('lora_target', isAll ? 'all' : names.join(','))];
  // TRL takes one name alone for a pattern of whole names, which finds no module: said twice, it is a list.
  if (trainer === 'trl' && !isAll && names.length === 1 && /^[\w.-]+$/.test(names[0] ?? ''))
    return [line('lora_target_modules', [names[0] ?? '', names[0] ?? ''])];
  if (trainer !== 'torchtune' && trainer !== 'litgpt') return key === undefined ? null : [line(key, names)];
  const has = (name: string): boolean => isAll || names.includes(name);
  const hasMlp = has('gate_proj');
  const isKnown = isAll || names.every((name) => [...BASES, ...MLP].includes(name as never));
  // Both adapt the three matrices of the MLP together.
  if (!isKnown || MLP.some((name) => has(name) !== hasMlp)) return null;
  if (trainer === 'litgpt')
    return [...BASES.map((name, at) => line(LIT_FLAGS[at] ?? '', has(name))), line('lora_mlp', hasMlp)];
  const modules = BASES.filter(has).map((name) => (name === 'o_proj' ? 'output_proj' : name));
  return [line('model.lora_attn_modules', { json: modules }), line('model.apply_lora_to_mlp', hasMlp)];
}

function toLossLines(given: Given): readonly Line[] | null {
  const { value, key, trainer, method } = given;
  const name = toText(value);
  if (trainer === 'trl' || trainer === 'unsloth')
    return isOfMethod('loss_type', method) && key ? [line(key, value)] : null;
  if (method === 'sft') {
    if (name === 'nll') return [];
    if (name !== 'dft') return null;
    if (trainer === 'llama-factory') return [line('use_dft_loss', true)];
    return trainer === 'ms-swift' ? [line('enable_dft_loss', true)] : null;
  }
  if (trainer === 'llama-factory' && method === 'dpo')
    return /^(?:sigmoid|hinge|ipo|kto_pair|orpo|simpo)$/.test(name) ? [line('pref_loss', name)] : null;
  if (trainer === 'axolotl' && method === 'dpo') return [line('dpo_loss_type', { json: toItems(value) })];
  if (trainer === 'axolotl') return name === method ? [] : null;
  return key === undefined ? null : [line(key, name)];
}

function toPrecisionLines({ name, value, key, trainer }: Given): readonly Line[] | null {
  if (key !== undefined) return [line(key, value)];
  // One word for both flags: that of bf16 says it.
  if (name !== 'bf16') return value === false ? [] : null;
  if (trainer === 'torchtune') return [line('dtype', value === true ? 'bf16' : 'fp32')];
  return trainer === 'litgpt' ? [line('precision', value === true ? 'bf16-mixed' : '32-true')] : null;
}

/** LLaMA-Factory only has the starts of PiSSA. */
function toStartLines({ value, key, trainer }: Given): readonly Line[] | null {
  const name = toText(value);
  if (trainer !== 'llama-factory') return key === undefined ? null : [line(key, value)];
  const [, rounds] = /^pissa_niter_(\d+)$/.exec(name) ?? [];
  if (rounds !== undefined) return [line('pissa_init', true), line('pissa_iter', Number(rounds))];
  return name === 'pissa' ? [line('pissa_init', true), line('pissa_iter', -1)] : null;
}

const OWN: Readonly<Partial<Record<TableName, (given: Given) => readonly Line[] | null>>> = {
  optimizer: toOptimizerLines,
  scheduler: toSchedulerLines,
  lora_targets: toTargetLines,
  loss_type: toLossLines,
  init_lora_weights: toStartLines,
  bf16: toPrecisionLines,
  fp16: toPrecisionLines,
  tf32: toPrecisionLines,
  // Names in a text.
  modules_to_save: ({ value, key, trainer }) =>
    key === undefined
      ? null
      : [line(key, trainer === 'llama-factory' && Array.isArray(value) ? value.join(',') : value)],
  beta: ({ value, key, trainer, method }) =>
    key === undefined || (trainer === 'trl' && !isOfMethod('beta', method)) || method === 'sft'
      ? null
      : [line(key, value)],
};

/** The lines of a setting; null: the trainer has no place for it. */
export function toOwnLines(given: Given): readonly Line[] | null {
  const { name, value, key, trainer, method } = given;
  const own = OWN[name];
  if (own) return own(given);
  if ((trainer === 'trl' || trainer === 'unsloth') && !isOfMethod(name, method)) return null;
  return key === undefined ? null : [line(key, value)];
}
