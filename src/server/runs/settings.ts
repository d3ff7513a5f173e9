// One name for a setting, whatever trainer wrote it. The table of names is the only place that knows trainers' words.
import type { ParameterValue } from './evidence.ts';

type Kind = 'number' | 'count' | 'text' | 'list';

interface SettingRecord {
  /** Names in configs of trainers and trackers, most reliable first. Nested ones with dots. */
  readonly names: readonly string[];
  readonly kind: Kind;
}

/** By the name that a job's experiment has on the wire. Facts of several settings are made in `toSettings`. */
const SETTINGS = {
  base_model: {
    names: ['base_model', 'base_model_name_or_path', 'model_name_or_path', 'model_name', 'model', '_name_or_path'],
    kind: 'text',
  },
  learning_rate: { names: ['learning_rate', 'lr', 'optimizer.lr', 'peak_lr', 'max_lr'], kind: 'number' },
  epochs: { names: ['num_train_epochs', 'num_epochs', 'n_epochs', 'epochs'], kind: 'number' },
  max_steps: { names: ['max_steps', 'training_steps', 'iters', 'max_iters', 'num_iterations'], kind: 'count' },
  seed: { names: ['seed', 'random_seed'], kind: 'number' },
  scheduler: {
    names: ['lr_scheduler_type', 'lr_scheduler', 'lr_scheduler._component_', 'lr_schedule.name', 'scheduler'],
    kind: 'text',
  },
  optimizer: { names: ['optim', 'optimizer', 'optimizer._component_', 'optimizer_type'], kind: 'text' },
  warmup_steps: {
    names: ['warmup_steps', 'lr_scheduler_warmup_steps', 'lr_scheduler.num_warmup_steps', 'lr_schedule.warmup'],
    kind: 'count',
  },
  warmup_ratio: { names: ['warmup_ratio', 'lr_scheduler_warmup_ratio'], kind: 'number' },
  weight_decay: { names: ['weight_decay', 'optimizer.weight_decay'], kind: 'number' },
  lora_rank: {
    names: [
      'lora_r',
      'lora_rank',
      'peft_config.r',
      'peft_config.default.r',
      'lora_parameters.rank',
      'model.lora_rank',
      'r',
    ],
    kind: 'count',
  },
  lora_alpha: {
    names: ['lora_alpha', 'peft_config.lora_alpha', 'peft_config.default.lora_alpha', 'model.lora_alpha'],
    kind: 'number',
  },
  lora_dropout: {
    names: [
      'lora_dropout',
      'peft_config.lora_dropout',
      'peft_config.default.lora_dropout',
      'lora_parameters.dropout',
      'model.lora_dropout',
    ],
    kind: 'number',
  },
  lora_targets: {
    names: [
      'lora_target_modules',
      'peft_config.target_modules',
      'peft_config.default.target_modules',
      'target_modules',
      'lora_target',
      'lora_parameters.keys',
      'model.lora_attn_modules',
    ],
    kind: 'list',
  },
  max_length: {
    names: ['max_length', 'max_seq_length', 'sequence_len', 'cutoff_len', 'tokenizer.max_seq_len', 'block_size'],
    kind: 'count',
  },
} as const satisfies Record<string, SettingRecord>;

const ROWS_PER_DEVICE: readonly string[] = [
  'per_device_train_batch_size',
  'micro_batch_size',
  'device_batch_size',
  'train_batch_size',
  'batch_size',
];
const ACCUMULATION: readonly string[] = [
  'gradient_accumulation_steps',
  'grad_accumulation_steps',
  'gradient_accumulation',
];
const DEVICES: readonly string[] = ['num_devices', 'world_size', 'num_processes', 'n_gpu', 'gpu_count'];
const BATCH_ROWS: readonly string[] = ['total_train_batch_size', 'total_batch_size'];
const PRECISION_WORDS: readonly string[] = [
  'mixed_precision_training',
  'mixed_precision',
  'precision',
  'dtype',
  'torch_dtype',
];
/** Booleans that name a precision, such as `bf16: true`. */
const PRECISION_FLAGS: readonly string[] = ['bf16', 'fp16', 'tf32'];

export type SettingName = keyof typeof SETTINGS | 'batch_rows' | 'precision';

/** A setting, and the parameters that it was made of: the first says most about its source. */
export interface Setting {
  readonly value: string | number;
  readonly from: readonly string[];
  /** What had to be assumed; null: nothing. */
  readonly note: string | null;
}

type Find = (name: string) => ParameterValue | undefined;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function toFinite(value: ParameterValue | undefined): number | null {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** `["v_proj","q_proj"]` and `q_proj,v_proj` -> `q_proj, v_proj`: PEFT writes its sets in random order. */
function toList(text: string): string {
  let parts: readonly string[] = text.split(',');
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) parts = list.map(String);
    } catch {
      // A cut list stays as it is.
      return text;
    }
  }
  return parts
    .map((part) => part.trim())
    .toSorted()
    .join(', ');
}

function toValue(raw: ParameterValue | undefined, kind: Kind): string | number | null {
  if (raw === undefined || raw === null || raw === '') return null;
  if (kind === 'number') return toFinite(raw);
  if (kind === 'count') {
    // -1 and 0 mean "not set": HF writes them for max_steps and warmup_steps.
    const count = toFinite(raw);
    return count !== null && count > 0 && Number.isInteger(count) ? count : null;
  }
  if (typeof raw !== 'string') return null;
  // An object as JSON text is no name.
  if (kind === 'text') return raw.startsWith('{') || raw.startsWith('[') ? null : raw;
  return toList(raw);
}

function first(find: Find, names: readonly string[], kind: Kind): { value: string | number; name: string } | null {
  for (const name of names) {
    const value = toValue(find(name), kind);
    if (value !== null) return { value, name };
  }
  return null;
}

function toBatchRows(find: Find): Setting | null {
  const total = first(find, BATCH_ROWS, 'count');
  if (total) return { value: total.value, from: [total.name], note: null };
  const rows = first(find, ROWS_PER_DEVICE, 'count');
  if (!rows) return null;
  const accumulation = first(find, ACCUMULATION, 'count');
  const devices = first(find, DEVICES, 'count');
  const used = [rows, accumulation, devices].flatMap((part) => part ?? []);
  return {
    value: used.reduce((product, { value }) => product * Number(value), 1),
    from: used.map(({ name }) => name),
    note: devices ? null : 'for one device: nobody wrote down how many there were',
  };
}

function toPrecision(find: Find): Setting | null {
  const flag = PRECISION_FLAGS.find((name) => find(name) === true || find(name) === 'true' || find(name) === 'True');
  if (flag !== undefined) return { value: flag, from: [flag], note: null };
  const word = first(find, PRECISION_WORDS, 'text');
  return word && { value: String(word.value).replace(/^torch\./, ''), from: [word.name], note: null };
}

/** The settings that `find` knows, by their one name. */
export function toSettings(find: Find): ReadonlyMap<SettingName, Setting> {
  const found = new Map<SettingName, Setting>();
  for (const [name, { names, kind }] of Object.entries(SETTINGS) as [keyof typeof SETTINGS, SettingRecord][]) {
    const value = first(find, names, kind);
    if (value) found.set(name, { value: value.value, from: [value.name], note: null });
  }
  const batch = toBatchRows(find);
  if (batch) found.set('batch_rows', batch);
  const precision = toPrecision(find);
  if (precision) found.set('precision', precision);
  return found;
}

/** The one name of a setting that a trainer calls so; null: it is none of those. For grouping by a setting. */
export function toSettingName(raw: string): SettingName | null {
  if (raw === 'batch_rows' || raw === 'batch_size') return 'batch_rows';
  if (raw === 'precision') return 'precision';
  for (const [name, { names }] of Object.entries(SETTINGS) as [keyof typeof SETTINGS, SettingRecord][])
    if (name === raw || names.includes(raw)) return name;
  return null;
}
