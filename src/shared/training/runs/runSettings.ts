// What runs of folders recorded, under the names of each trainer: what a run did not record is left out and listed. Field
// names: those of the trainers' configs for advice (axolotlConfig.ts, trlConfig.ts, ...).
import { toLearningRate } from '#shared/contract/rateMeaning.ts';
import { findBaseModel } from '#shared/training/baseModels.ts';
import type { Candidate } from '#shared/training/candidates.ts';
import { toComment, toConfigNumber, toQuoted } from '#shared/training/configText.ts';
import type { ExportInput } from '#shared/training/exportInput.ts';
import { toBatchParts } from '#shared/training/trainingMemory.ts';
import { toCandidateName } from '#shared/training/trainingWords.ts';

export type RunTrainer = 'axolotl' | 'llama-factory' | 'trl' | 'unsloth';
type Value = string | number | boolean | readonly string[];
type Keys = Readonly<Record<RunTrainer, string>>;

interface Setting {
  /** For people. */
  readonly label: string;
  readonly keys: Keys;
  /** null: the run did not record it. */
  readonly read: (run: Candidate, input: ExportInput) => Value | null;
}

const all = (key: string): Keys => ({ axolotl: key, 'llama-factory': key, trl: key, unsloth: key });
const keys = (axolotl: string, llamaFactory: string, trl: string, unsloth = trl): Keys => ({
  axolotl,
  'llama-factory': llamaFactory,
  trl,
  unsloth,
});

export const extra = ({ extras }: Candidate, name: string): string | number | null => {
  const value = extras.find((each) => each.name === name)?.value ?? null;
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)) ? value : null;
};
const given =
  (name: string) =>
  (run: Candidate): string | number | null =>
    extra(run, name);

export const isAdapter = ({ training_type: type }: Candidate): boolean => type === 'lora' || type === 'qlora';
/** A job says of an adapter only that it is one; trainers' own settings say how it was trained. */
export const isQuantized = ({ training_type: type, extras }: Candidate): boolean =>
  type === 'qlora' ||
  extras.some(
    ({ name, value }) =>
      (name === 'adapter' && value === 'qlora') || (name === 'load_in_4bit' && String(value).toLowerCase() === 'true'),
  );

/** Only an adapter has it. */
const ofAdapter =
  (name: string) =>
  (run: Candidate): string | number | null =>
    isAdapter(run) ? extra(run, name) : null;

/** In the order of the file. The batch, the method and the data have lines of their own. */
const SETTINGS: readonly Setting[] = [
  {
    label: 'base model',
    keys: keys('base_model', 'model_name_or_path', 'model_name_or_path', 'model_name'),
    read: ({ base_model_id: id }) => findBaseModel(id).hub,
  },
  { label: 'LoRA rank', keys: keys('lora_r', 'lora_rank', 'lora_r', 'r'), read: ofAdapter('lora_rank') },
  { label: 'LoRA alpha', keys: all('lora_alpha'), read: ofAdapter('lora_alpha') },
  { label: 'LoRA dropout', keys: all('lora_dropout'), read: ofAdapter('lora_dropout') },
  {
    label: 'LoRA targets',
    keys: keys('lora_target_modules', 'lora_target', 'lora_target_modules', 'target_modules'),
    read: (run) => {
      const targets = ofAdapter('lora_targets')(run);
      return targets === null ? null : String(targets).split(/\s*,\s*/);
    },
  },
  {
    label: 'sequence length',
    keys: keys('sequence_len', 'cutoff_len', 'max_length', 'max_seq_length'),
    read: given('max_length'),
  },
  { label: 'epochs', keys: keys('num_epochs', 'num_train_epochs', 'num_train_epochs'), read: ({ n_epochs: n }) => n },
  { label: 'steps', keys: all('max_steps'), read: given('max_steps') },
  {
    label: 'learning rate',
    keys: all('learning_rate'),
    read: ({ learning_rate_multiplier: rate }, input) => (rate === null ? null : toLearningRate(rate, input.rate)),
  },
  {
    label: 'scheduler',
    keys: keys('lr_scheduler', 'lr_scheduler_type', 'lr_scheduler_type'),
    read: given('scheduler'),
  },
  { label: 'warm-up steps', keys: all('warmup_steps'), read: given('warmup_steps') },
  { label: 'warm-up share', keys: all('warmup_ratio'), read: given('warmup_ratio') },
  { label: 'optimizer', keys: keys('optimizer', 'optim', 'optim'), read: given('optimizer') },
  { label: 'weight decay', keys: all('weight_decay'), read: given('weight_decay') },
  { label: 'seed', keys: all('seed'), read: given('seed') },
];

/** Without these a config stops: a trainer's default would be another training. */
const NEEDED: ReadonlySet<string> = new Set(['base model', 'learning rate']);

/** One of two says enough. */
const EITHER: readonly (readonly [string, string])[] = [
  ['epochs', 'steps'],
  ['warm-up steps', 'warm-up share'],
];

export interface Line {
  readonly key: string;
  readonly value: Value;
  readonly note: string | null;
}

/** The methods that a trainer's config can express. */
const METHODS: Readonly<Record<RunTrainer, readonly string[]>> = {
  axolotl: ['sft', 'dpo', 'kto'],
  'llama-factory': ['sft', 'dpo', 'kto'],
  trl: ['sft', 'dpo', 'kto', 'grpo'],
  unsloth: ['sft'],
};

export const toMethod = (run: Candidate): string | null => {
  const method = extra(run, 'method');
  return method === null ? null : String(method).toLowerCase();
};

/** Why these runs can't be written for a trainer; null: they can. */
export function findRunProblem({ candidates }: ExportInput, trainer: RunTrainer): string | null {
  const unknown = candidates.flatMap((run) => {
    const method = toMethod(run) ?? 'sft';
    return METHODS[trainer].includes(method) ? [] : [method.toUpperCase()];
  });
  if (unknown.length === 0) return null;
  const able = Object.entries(METHODS).flatMap(([name, methods]) =>
    methods.includes((unknown[0] ?? '').toLowerCase()) ? [name] : [],
  );
  return `It has no config for ${[...new Set(unknown)].join(', ')} here. ${able.length === 0 ? 'No format has.' : `${able.join(', ')}: yes.`}`;
}

function toMethodLines(run: Candidate, trainer: RunTrainer): readonly Line[] {
  const line = (key: string, value: Value): Line => ({ key, value, note: null });
  const method = toMethod(run) ?? 'sft';
  const adapter = isAdapter(run) ? (isQuantized(run) ? 'qlora' : 'lora') : null;
  switch (trainer) {
    case 'axolotl':
      return [
        ...(method === 'sft' ? [] : [line('rl', method)]),
        ...(adapter === null ? [] : [line('adapter', adapter)]),
        ...(adapter === 'qlora' ? [line('load_in_4bit', true)] : []),
      ];
    case 'llama-factory':
      return [
        line('stage', method),
        line('do_train', true),
        ...(adapter === null && run.training_type !== 'full'
          ? []
          : [line('finetuning_type', adapter ? 'lora' : 'full')]),
        ...(adapter === 'qlora' ? [line('quantization_bit', 4)] : []),
      ];
    case 'trl':
      return [
        ...(adapter === null ? [] : [line('use_peft', true)]),
        ...(adapter === 'qlora' ? [line('load_in_4bit', true)] : []),
      ];
    case 'unsloth':
      // Its cell has places of its own for them.
      return [];
    default: {
      const missing: never = trainer;
      return missing;
    }
  }
}

function toBatchLines({ batch_size: rows }: Candidate, trainer: RunTrainer): readonly Line[] {
  if (rows === null || !Number.isSafeInteger(rows) || rows < 1) return [];
  const { micro, accumulation } = toBatchParts(rows);
  const note = `${micro} x ${accumulation} = ${rows} rows a step, on one device; keep the product`;
  return [
    { key: trainer === 'axolotl' ? 'micro_batch_size' : 'per_device_train_batch_size', value: micro, note },
    { key: 'gradient_accumulation_steps', value: accumulation, note: null },
  ];
}

export function toLines(run: Candidate, input: ExportInput, trainer: RunTrainer): readonly Line[] {
  const [base, ...others] = SETTINGS.flatMap(({ label, keys: names, read }): Line[] => {
    const value = read(run, input);
    if (value === null && !NEEDED.has(label)) return [];
    return [{ key: names[trainer], value: value ?? '', note: null }];
  });
  return [...(base ? [base] : []), ...toMethodLines(run, trainer), ...others, ...toBatchLines(run, trainer)];
}

/** What the run did not record, for people. */
function findMissing(run: Candidate, input: ExportInput): readonly string[] {
  const isThere = ({ label, read }: Setting): boolean =>
    read(run, input) !== null || (label.startsWith('LoRA') && !isAdapter(run));
  const there = new Set(SETTINGS.filter(isThere).map(({ label }) => label));
  const isSaid = (label: string): boolean =>
    there.has(label) || EITHER.some((pair) => pair.includes(label) && pair.some((one) => there.has(one)));
  return [
    ...SETTINGS.flatMap(({ label }) => (isSaid(label) ? [] : [label])),
    ...(run.training_type === null ? ['full or LoRA'] : []),
    ...(toMethod(run) === null ? ['method (written as SFT)'] : []),
    ...(run.batch_size === null ? ['rows of a batch'] : []),
    ...(extra(run, 'datasets') === null ? ['data'] : []),
  ];
}

export const toValueText = (value: Value): string =>
  typeof value === 'object'
    ? `[${value.map(toQuoted).join(', ')}]`
    : typeof value === 'string'
      ? toQuoted(value)
      : typeof value === 'number'
        ? toConfigNumber(value)
        : String(value);

/** By key: what it was in the baseline. */
export function toChanges(run: Candidate, input: ExportInput, trainer: RunTrainer): ReadonlyMap<string, string> {
  const { baseline = null } = input;
  if (baseline === null || baseline.key === run.key) return new Map();
  const before = new Map(toLines(baseline, input, trainer).map(({ key, value }) => [key, toValueText(value)]));
  const name = toCandidateName(baseline);
  return new Map(
    toLines(run, input, trainer).flatMap(({ key, value }) => {
      const was = before.get(key);
      if (was === toValueText(value)) return [];
      return [[key, was === undefined || was === '""' ? `not recorded in ${name}` : `${was} in ${name}`]];
    }),
  );
}

/** What the baseline recorded and the run did not: no line of the config can say that it changed. */
function toOnlyBefore(run: Candidate, input: ExportInput, trainer: RunTrainer): readonly string[] {
  const { baseline = null } = input;
  if (baseline === null || baseline.key === run.key) return [];
  const keys = new Set(toLines(run, input, trainer).map(({ key }) => key));
  const lost = toLines(baseline, input, trainer).filter(({ key }) => !keys.has(key));
  if (lost.length === 0) return [];
  const texts = lost.map(({ key, value }) => `${key} ${toValueText(value)}`);
  return [toComment(`changed: only ${toCandidateName(baseline)} has ${texts.join(', ')}`)];
}

/** The comments above a config. */
export const toHead = (run: Candidate, input: ExportInput, trainer: RunTrainer): readonly string[] => {
  const missing = findMissing(run, input);
  return [
    toComment(`${toCandidateName(run)}, as its files record it`),
    ...(missing.length === 0
      ? []
      : [toComment(`not recorded, so to be filled in or left to the trainer's defaults: ${missing.join(', ')}`)]),
    ...toOnlyBefore(run, input, trainer),
  ];
};
