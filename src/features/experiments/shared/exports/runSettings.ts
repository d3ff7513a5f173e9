// What runs of folders recorded, under the keys of each trainer (`settingTable.ts`): what a run did not record, and what a
// trainer has no place for, is listed.
import { parseJson } from '#core/contract/readJson.ts';
import { UNKNOWN_MODEL } from '#core/contract/jobReader.ts';
import { toLearningRate } from '#core/contract/rateMeaning.ts';
import { findBaseModel } from '#features/experiments/shared/baseModels.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toComment, toConfigNumber, toQuoted } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toMethod } from '#features/experiments/shared/objectiveFacts.ts';
import { toBatchParts } from '#features/experiments/shared/trainingMemory.ts';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';
import { toOwnLines, type Line, type Value } from './runConfigLines.ts';
import { SETTING_ENTRIES, type TableName } from '#features/runs/shared/settings/settingTable.ts';
import type { RunTrainer, SettingRecord } from '#features/runs/shared/settings/settingRecord.ts';

export const extra = ({ extras }: Candidate, name: string): string | number | boolean | null => {
  const value = extras.find((each) => each.name === name)?.value ?? null;
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
};

export const isAdapter = ({ training_type: type }: Candidate): boolean => type === 'lora' || type === 'qlora';
/** A job says of an adapter only that it is one; trainers' own settings say how it was trained. */
export const isQuantized = ({ training_type: type, extras }: Candidate): boolean =>
  type === 'qlora' ||
  extras.some(
    ({ name, value }) =>
      (name === 'adapter' && value === 'qlora') || (name === 'load_in_4bit' && String(value).toLowerCase() === 'true'),
  );
/** Neither LoRA nor all weights: `ia3`, `adalora`. */
const isOther = ({ training_type: type }: Candidate): boolean =>
  type !== null && type !== 'full' && type !== 'lora' && type !== 'qlora';

/** As the run recorded it, else the name on the hub. */
function toBase(run: Candidate): string | null {
  const path = extra(run, 'base_model_path');
  if (typeof path === 'string') return path;
  const id = run.base_model_id;
  return findBaseModel(id).hub ?? (id === UNKNOWN_MODEL || id === '' ? null : id);
}

/** Lists and objects are JSON text in a job. */
function toJsonValue(value: string): Value {
  const parsed = parseJson(value);
  return typeof parsed === 'object' && parsed !== null ? { json: parsed } : value;
}

/** null: the run did not record it. */
function read(run: Candidate, name: TableName, { kind }: SettingRecord, input: ExportInput): Value | null {
  if (name === 'base_model') return toBase(run);
  if (name === 'epochs') return run.n_epochs;
  if (name === 'learning_rate') {
    const { learning_rate_multiplier: rate } = run;
    return rate === null ? null : toLearningRate(rate, input.rate);
  }
  const value = extra(run, name);
  if (name === 'bf16' && value === null) return extra(run, 'precision') === 'bf16' ? true : null;
  if (value === null || value === '') return null;
  if (kind === 'list') {
    const names = String(value)
      .split(/\s*,\s*/)
      .filter((each) => each !== '');
    return names.length === 0 ? null : names;
  }
  return (kind === 'json' || kind === 'any') && typeof value === 'string' ? toJsonValue(value) : value;
}

/** Without these a config stops: a trainer's default would be another training. */
const NEEDED: ReadonlySet<TableName> = new Set(['base_model', 'learning_rate']);
/** Missing where neither is recorded. */
const EITHER: readonly (readonly [TableName, TableName])[] = [
  ['epochs', 'max_steps'],
  ['warmup_steps', 'warmup_ratio'],
];
/** What most trainings have: only these are missed where a run did not record them. */
const MISSED: ReadonlySet<TableName> = new Set<TableName>([
  ...(['base_model', 'lora_rank', 'lora_alpha', 'lora_dropout', 'lora_targets', 'max_length', 'epochs'] as const),
  ...([
    'max_steps',
    'learning_rate',
    'scheduler',
    'warmup_steps',
    'warmup_ratio',
    'optimizer',
    'weight_decay',
  ] as const),
  'seed',
]);
const GENERATING: ReadonlySet<string> = new Set(['grpo', 'rloo', 'distillation']);
/** The batch has lines of its own. */
const BATCH: ReadonlySet<TableName> = new Set(['per_device_train_batch_size', 'gradient_accumulation_steps']);

/** The methods that a trainer's config can express. */
const METHODS: Readonly<Record<RunTrainer, readonly string[]>> = {
  axolotl: ['sft', 'dpo', 'kto'],
  'llama-factory': ['sft', 'dpo', 'kto'],
  trl: ['sft', 'dpo', 'kto', 'grpo', 'rloo', 'reward', 'distillation'],
  unsloth: ['sft'],
  'ms-swift': ['sft', 'dpo', 'kto', 'grpo'],
  torchtune: ['sft'],
  litgpt: ['sft'],
  peft: [],
};

/** As people know them. */
const TRAINER_NAMES: Readonly<Record<RunTrainer, string>> = {
  axolotl: 'Axolotl',
  'llama-factory': 'LLaMA-Factory',
  trl: 'TRL',
  unsloth: 'Unsloth',
  'ms-swift': 'ms-swift',
  torchtune: 'torchtune',
  litgpt: 'litgpt',
  peft: 'PEFT',
};

const toAble = (isAble: (methods: readonly string[]) => boolean): string => {
  const able = Object.entries(METHODS).flatMap(([name, methods]) =>
    isAble(methods) ? [TRAINER_NAMES[name as RunTrainer]] : [],
  );
  return able.length === 0 ? 'No format has.' : `${able.join(', ')}: yes.`;
};

/** What candidates that are no runs of folders are written as beside SFT. */
const WRITTEN: Readonly<Partial<Record<RunTrainer, readonly string[]>>> = { trl: ['dpo', 'kto'] };

/** Why candidates that are no runs of folders have no config; null: they have. A service may recommend any method. */
export function findMethodProblem({ candidates }: ExportInput, trainer: RunTrainer): string | null {
  const known = new Set(Object.values(METHODS).flat());
  const methods = candidates.flatMap((candidate) => toMethod(candidate) ?? []);
  const others = methods.filter((method) => method !== 'sft' && known.has(method));
  const refused = others.filter((method) => WRITTEN[trainer]?.includes(method) !== true);
  if (refused.length === 0) return null;
  const able = Object.entries(WRITTEN).flatMap(([name, written]) =>
    others.every((method) => written.includes(method))
      ? [`${TRAINER_NAMES[name as RunTrainer]}, which trains it, or `]
      : [],
  );
  const names = [...new Set(refused)].map((method) => method.toUpperCase()).join(', ');
  return `It would train SFT instead of ${names}. Take ${able.join('')}CSV or JSON, which have all settings.`;
}

/** Why these runs can't be written for a trainer; null: they can. */
export function findRunProblem({ candidates }: ExportInput, trainer: RunTrainer): string | null {
  const other = candidates.find(isOther);
  if (other) {
    const type = (other.training_type ?? '').toUpperCase();
    return `It has no config for adapters of the type ${type} here. Take the adapter_config.json of its folder.`;
  }
  if (trainer === 'peft') {
    if (candidates.length > 1) return 'It is the file of one adapter. Choose one run.';
    const isFull = candidates.some((run) => run.training_type === 'full');
    return isFull ? 'It has the settings of adapters alone, and all weights were trained. Choose a trainer.' : null;
  }
  const unknown = candidates.flatMap((run) => {
    const method = toMethod(run) ?? 'sft';
    return METHODS[trainer].includes(method) ? [] : [method];
  });
  if (unknown.length === 0) return null;
  const names = [...new Set(unknown.map((method) => method.toUpperCase()))];
  return `It has no config for ${names.join(', ')} here. ${toAble((methods) => methods.includes(unknown[0] ?? ''))}`;
}

/** The parts of a batch as recorded, else such as fit on one device. */
function toBatchLines(run: Candidate, trainer: RunTrainer): readonly Line[] {
  if (trainer === 'peft') return [];
  const { batch_size: rows } = run;
  const recorded = [extra(run, 'per_device_train_batch_size'), extra(run, 'gradient_accumulation_steps')] as const;
  const devices = extra(run, 'num_devices');
  const isWhole = typeof recorded[0] === 'number';
  if (!isWhole && (rows === null || !Number.isSafeInteger(rows) || rows < 1)) return [];
  const { micro, accumulation } = isWhole
    ? { micro: Number(recorded[0]), accumulation: typeof recorded[1] === 'number' ? recorded[1] : 1 }
    : toBatchParts(rows ?? 1);
  const ofAll = typeof devices === 'number' && devices > 1 ? ` x ${devices} devices` : '';
  const total = rows ?? micro * accumulation;
  const note = isWhole
    ? `as recorded: ${micro} x ${accumulation}${ofAll} = ${total} rows a step`
    : `${micro} x ${accumulation} = ${total} rows a step, on one device; keep the product`;
  const [perDevice, steps] = ['per_device_train_batch_size', 'gradient_accumulation_steps'].map(
    (name) => TABLE.get(name as TableName)?.keys[trainer],
  );
  return [
    ...(perDevice === undefined ? [] : [{ key: perDevice, value: micro, note }]),
    ...(steps === undefined ? [] : [{ key: steps, value: accumulation, note: null }]),
    ...(trainer === 'litgpt' ? [{ key: 'train.global_batch_size', value: micro * accumulation, note: null }] : []),
  ];
}

const TABLE: ReadonlyMap<TableName, SettingRecord> = new Map(SETTING_ENTRIES);

interface Written {
  readonly lines: readonly Line[];
  /** Recorded, but without a place in this trainer. */
  readonly homeless: readonly string[];
}

/** Each setting that the run recorded, as lines of a trainer. */
function writeSettings(run: Candidate, input: ExportInput, trainer: RunTrainer): Written {
  const lines: Line[] = [];
  const homeless: string[] = [];
  const about = { method: toMethod(run) ?? 'sft', isAdapter: isAdapter(run), trainer };
  for (const [name, record] of SETTING_ENTRIES) {
    if (BATCH.has(name) || (record.isOfAdapter === true && !about.isAdapter)) continue;
    if (trainer === 'peft' && record.isOfAdapter !== true && name !== 'base_model') continue;
    const value = read(run, name, record, input);
    if (value === null) {
      const key = record.keys[trainer];
      if (NEEDED.has(name) && key !== undefined && trainer !== 'peft') lines.push({ key, value: '', note: null });
      continue;
    }
    if (record.usual !== undefined && toValueText(value).replaceAll('"', '') === record.usual) continue;
    const own = toOwnLines({ ...about, name, value, key: record.keys[trainer] });
    if (own === null) homeless.push(`${name} ${toValueText(value)}`);
    else lines.push(...own);
  }
  return { lines, homeless };
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
    case 'ms-swift':
      return [
        ...(method === 'sft' ? [] : [line('rlhf_type', method)]),
        ...(adapter === null && run.training_type !== 'full' ? [] : [line('tuner_type', adapter ? 'lora' : 'full')]),
        ...(adapter === 'qlora' ? [line('quant_method', 'bnb'), line('quant_bits', 4)] : []),
      ];
    case 'peft':
      return [
        line('peft_type', String(extra(run, 'peft_type') ?? 'LORA')),
        line('task_type', String(extra(run, 'task_type') ?? 'CAUSAL_LM')),
      ];
    // Its cell, or its recipe, has places of its own for them.
    case 'unsloth':
    case 'torchtune':
    case 'litgpt':
      return [];
    default: {
      const missing: never = trainer;
      return missing;
    }
  }
}

export function toLines(run: Candidate, input: ExportInput, trainer: RunTrainer): readonly Line[] {
  const [base, ...others] = writeSettings(run, input, trainer).lines;
  return [...(base ? [base] : []), ...toMethodLines(run, trainer), ...others, ...toBatchLines(run, trainer)];
}

/** What the run did not record, for people. */
function findMissing(run: Candidate, input: ExportInput, trainer: RunTrainer): readonly string[] {
  const isThere = (name: TableName, record: SettingRecord): boolean =>
    read(run, name, record, input) !== null || (record.isOfAdapter === true && !isAdapter(run));
  const there = new Set(SETTING_ENTRIES.flatMap(([name, record]) => (isThere(name, record) ? [name] : [])));
  const isSaid = (name: TableName): boolean =>
    !MISSED.has(name) ||
    // Their length is that of prompts and of answers.
    (name === 'max_length' && GENERATING.has(toMethod(run) ?? '')) ||
    there.has(name) ||
    EITHER.some((pair) => pair.includes(name) && pair.some((one) => there.has(one)));
  const isAsked = ({ isOfAdapter }: SettingRecord): boolean => trainer !== 'peft' || isOfAdapter === true;
  const missing = SETTING_ENTRIES.flatMap(([name, record]) => (isSaid(name) || !isAsked(record) ? [] : [record.label]));
  if (trainer === 'peft') return missing;
  return [
    ...missing,
    ...(run.training_type === null ? ['full or LoRA'] : []),
    ...(toMethod(run) === null ? ['method (written as SFT)'] : []),
    ...(run.batch_size === null ? ['rows of a batch'] : []),
    ...(extra(run, 'datasets') === null ? ['data'] : []),
  ];
}

export const toValueText = (value: Value): string => {
  if (typeof value === 'string') return toQuoted(value);
  if (typeof value === 'number') return toConfigNumber(value);
  if (typeof value === 'boolean') return String(value);
  return 'json' in value ? JSON.stringify(value.json) : `[${value.map(toQuoted).join(', ')}]`;
};

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
  const missing = findMissing(run, input, trainer);
  const { homeless } = writeSettings(run, input, trainer);
  return [
    toComment(`${toCandidateName(run)}, as its files record it`),
    ...(missing.length === 0
      ? []
      : [toComment(`not recorded, so to be filled in or left to the trainer's defaults: ${missing.join(', ')}`)]),
    ...(homeless.length === 0 ? [] : [toComment(`recorded, but has no place here: ${homeless.join(', ')}`)]),
    ...toOnlyBefore(run, input, trainer),
  ];
};
