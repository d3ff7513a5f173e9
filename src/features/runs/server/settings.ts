// One name for a setting, whatever trainer wrote it: by the table of settings, and what follows from several of them.
import { parseJson } from '#core/contract/readJson.ts';
import { SETTING_ENTRIES, SETTINGS, type TableName } from '#features/runs/shared/settings/settingTable.ts';
import type { SettingKind, SettingRecord } from '#features/runs/shared/settings/settingRecord.ts';
import type { ParameterValue } from './evidence.ts';

const DEVICES: readonly string[] = ['num_devices', 'world_size', 'num_processes', 'n_gpu', 'gpu_count'];
const BATCH_ROWS: readonly string[] = ['total_train_batch_size', 'total_batch_size', 'train.global_batch_size'];
const PRECISION_WORDS: readonly string[] = [
  'mixed_precision_training',
  'mixed_precision',
  'precision',
  'dtype',
  'torch_dtype',
];
/** Booleans that name a precision, such as `bf16: true`. */
const PRECISION_FLAGS: readonly string[] = ['bf16', 'fp16', 'tf32'];

export type SettingName = TableName | 'batch_rows' | 'num_devices' | 'precision' | 'peft_type' | 'adapter_variant';

/** A setting, and the parameters that it was made of: the first says most about its source. */
export interface Setting {
  readonly value: string | number | boolean;
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

function toFlag(value: ParameterValue | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : null;
}

/** A Python word for nothing. */
const isNone = (value: ParameterValue | undefined): boolean =>
  value === undefined || value === null || value === '' || value === 'None' || value === '{}' || value === '[]';

/** `["v_proj","q_proj"]` and `q_proj,v_proj` -> `q_proj, v_proj`: PEFT writes its sets in random order. */
function toList(text: string): string {
  let parts: readonly string[] = text.split(',');
  if (text.startsWith('[')) {
    const list = parseJson(text);
    // A cut list stays as it is.
    if (!Array.isArray(list)) return text;
    parts = list.map(String);
  }
  return parts
    .map((part) => part.trim())
    .toSorted()
    .join(', ');
}

function toJson(raw: ParameterValue | undefined): string | number | null {
  if (typeof raw === 'number') return toFinite(raw);
  if (typeof raw !== 'string') return null;
  const value = parseJson(raw);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : null;
}

/** null: not set. */
function toValue(raw: ParameterValue | undefined, kind: SettingKind): Setting['value'] | null {
  if (raw === undefined || raw === null || isNone(raw)) return null;
  switch (kind) {
    case 'number':
      return toFinite(raw);
    case 'amount': {
      const amount = toFinite(raw);
      return amount !== null && amount >= 0 ? amount : null;
    }
    case 'count': {
      // -1 and 0 mean "not set": HF writes them for max_steps.
      const count = toFinite(raw);
      return count !== null && count > 0 && Number.isInteger(count) ? count : null;
    }
    case 'flag':
      return toFlag(raw);
    case 'text':
      // An object as JSON text is no name.
      return typeof raw !== 'string' || raw.startsWith('{') || raw.startsWith('[') ? null : raw;
    case 'list':
      return typeof raw === 'string' ? toList(raw) : null;
    case 'json':
      return toJson(raw);
    case 'any':
      return toFlag(raw) ?? toFinite(raw) ?? toJson(raw) ?? raw;
    default: {
      const missing: never = kind;
      return missing;
    }
  }
}

interface Found<Value extends Setting['value']> {
  readonly value: Value;
  readonly name: string;
}

function first(find: Find, names: readonly string[], kind: SettingKind): Found<Setting['value']> | null {
  for (const name of names) {
    const value = toValue(find(name), kind);
    if (value !== null) return { value, name };
  }
  return null;
}

const firstCount = (find: Find, names: readonly string[]): Found<number> | null => {
  const found = first(find, names, 'count');
  return found && { ...found, value: Number(found.value) };
};

function toBatchRows(find: Find): Setting | null {
  const total = firstCount(find, BATCH_ROWS);
  if (total) return { value: total.value, from: [total.name], note: null };
  const rows = firstCount(find, SETTINGS.per_device_train_batch_size.names);
  if (!rows) return null;
  const accumulation = firstCount(find, SETTINGS.gradient_accumulation_steps.names);
  const devices = firstCount(find, DEVICES);
  const used = [rows, accumulation, devices].flatMap((part) => part ?? []);
  return {
    value: used.reduce((product, { value }) => product * value, 1),
    from: used.map(({ name }) => name),
    note:
      [
        ...(accumulation ? [] : ['without gradient accumulation: nobody wrote it down']),
        ...(devices ? [] : ['for one device: nobody wrote down how many there were']),
      ].join('; ') || null,
  };
}

function toPrecision(find: Find): Setting | null {
  const flag = PRECISION_FLAGS.find((name) => toFlag(find(name)) === true);
  if (flag !== undefined) return { value: flag, from: [flag], note: null };
  // accelerate's `no` only says that nothing is mixed.
  const word = first((name) => (find(name) === 'no' ? undefined : find(name)), PRECISION_WORDS, 'text');
  return word && { value: String(word.value).replace(/^torch\./, ''), from: [word.name], note: null };
}

/**
 * Steps, or a share of them: a number below 1 of `warmup_steps` is a share in transformers 5. Before, 0 steps meant that the
 * share counts. 0 is a warm-up that somebody wrote down.
 */
function toWarmup(find: Find): readonly (readonly [SettingName, Setting])[] {
  const steps = first(find, SETTINGS.warmup_steps.names, 'amount');
  const ratio = first(find, SETTINGS.warmup_ratio.names, 'amount');
  const toEntry = (name: SettingName, found: Found<Setting['value']>) =>
    [name, { value: found.value, from: [found.name], note: null }] as const;
  const count = Number(steps?.value ?? 0);
  if (steps && count >= 1) return Number.isInteger(count) ? [toEntry('warmup_steps', steps)] : [];
  if (steps && count > 0) return [toEntry('warmup_ratio', steps)];
  if (ratio && Number(ratio.value) > 0) return Number(ratio.value) < 1 ? [toEntry('warmup_ratio', ratio)] : [];
  const none = steps ?? ratio;
  return none ? [toEntry('warmup_steps', none)] : [];
}

/** mlx-lm multiplies by the scale itself, others by alpha / rank. */
function toAlphaOfScale(find: Find): Setting | null {
  const names = ['lora_parameters.scale', 'lora_parameters.rank'] as const;
  const [scale, rank] = names.map((name) => toFinite(find(name)));
  if (scale === null || scale === undefined || rank === null || rank === undefined) return null;
  return { value: scale * rank, from: names, note: 'mlx-lm multiplies by the scale itself' };
}

/** Each start and scale that makes another training of the same rank and alpha. */
const VARIANTS: readonly (readonly [word: string, name: TableName, isOn: (value: Setting['value']) => boolean])[] = [
  ['DoRA', 'use_dora', (value) => value === true],
  ['rsLoRA', 'use_rslora', (value) => value === true],
  ['ranks by module', 'rank_pattern', () => true],
  ['alphas by module', 'alpha_pattern', () => true],
];
const STARTS: Readonly<Record<string, string>> = { pissa: 'PiSSA', olora: 'OLoRA', eva: 'EVA', loftq: 'LoftQ' };

function toVariant(found: ReadonlyMap<SettingName, Setting>): Setting | null {
  const parts = VARIANTS.flatMap(([word, name, isOn]) => {
    const setting = found.get(name);
    return setting && isOn(setting.value) ? [{ word, from: setting.from }] : [];
  });
  const start = found.get('init_lora_weights');
  if (start && typeof start.value === 'string') {
    const word = start.value.startsWith('pissa') ? 'PiSSA' : (STARTS[start.value] ?? start.value);
    parts.push({ word, from: start.from });
  }
  if (parts.length === 0) return null;
  return { value: parts.map(({ word }) => word).join(', '), from: parts.flatMap(({ from }) => from), note: null };
}

const WARMUP: ReadonlySet<string> = new Set(['warmup_steps', 'warmup_ratio']);

/** The settings that `find` knows, by their one name. */
export function toSettings(find: Find): ReadonlyMap<SettingName, Setting> {
  const found = new Map<SettingName, Setting>();
  const add = (name: SettingName, setting: Setting | null): void => {
    if (setting) found.set(name, setting);
  };
  for (const [name, { names, kind }] of SETTING_ENTRIES) {
    if (WARMUP.has(name)) continue;
    const value = first(find, names, kind);
    if (value) found.set(name, { value: value.value, from: [value.name], note: null });
  }
  for (const [name, setting] of toWarmup(find)) found.set(name, setting);
  if (!found.has('lora_alpha')) add('lora_alpha', toAlphaOfScale(find));
  add('batch_rows', toBatchRows(find));
  const devices = firstCount(find, DEVICES);
  add('num_devices', devices && { value: devices.value, from: [devices.name], note: null });
  add('precision', toPrecision(find));
  const type = first(find, ['peft_type', 'peft_config.peft_type', 'peft_config.default.peft_type'], 'text');
  add('peft_type', type && { value: type.value, from: [type.name], note: null });
  if (!type || String(type.value).toUpperCase() === 'LORA') add('adapter_variant', toVariant(found));
  // AdaLoRA ignores `r`, of VeRA it is a width that all layers share, of others the rank of something else.
  else found.delete('lora_rank');
  return found;
}

export const isOfAdapter = (name: SettingName): boolean =>
  name === 'peft_type' ||
  name === 'adapter_variant' ||
  ((SETTINGS as Readonly<Partial<Record<string, SettingRecord>>>)[name]?.isOfAdapter ?? false);

const OTHERS: readonly SettingName[] = ['batch_rows', 'num_devices', 'precision', 'peft_type', 'adapter_variant'];

/** The one name of a setting that a trainer calls so; null: it is none of those. For grouping by a setting. */
export function toSettingName(raw: string): SettingName | null {
  if (raw === 'batch_size') return 'batch_rows';
  const other = OTHERS.find((name) => name === raw);
  if (other) return other;
  for (const [name, { names }] of SETTING_ENTRIES) if (name === raw || names.includes(raw)) return name;
  return DEVICES.includes(raw) ? 'num_devices' : null;
}
