// A setting of a training: its names in what trainers and trackers wrote, and its keys in what is written for a trainer.

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
export const hf = (key: string, more: SettingRecord['keys'] = {}): SettingRecord['keys'] => ({
  axolotl: key,
  'llama-factory': key,
  trl: key,
  unsloth: key,
  'ms-swift': key,
  ...more,
});
/** Of TRL's own configs, which Unsloth patches. */
export const trl = (key: string, more: SettingRecord['keys'] = {}): SettingRecord['keys'] => ({
  trl: key,
  unsloth: key,
  ...more,
});
export const trlAndSwift = (key: string): SettingRecord['keys'] => trl(key, { 'ms-swift': key });
export const inPeft = (name: string): readonly string[] => [`peft_config.${name}`, `peft_config.default.${name}`];

export const detail = (
  label: string,
  kind: SettingKind,
  name: string,
  keys: SettingRecord['keys'],
  more: Partial<SettingRecord> = {},
): SettingRecord => ({ label, kind, names: [name], keys, isDetail: true, ...more });
