// Runs of folders as configs and commands of trainers: what a run recorded, and nothing else.
import { toEpochNotes } from './axolotlConfig.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import {
  toComment,
  toConfigNumber,
  toFlagValue,
  toQuoted,
  toShellWord,
  toSlug,
} from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toMethod } from '#features/experiments/shared/objectiveFacts.ts';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';
import type { Line, Value } from './runConfigLines.ts';
import { extra, isAdapter, toChanges, toHead, toLines, toValueText } from './runSettings.ts';
import type { RunTrainer } from '#features/runs/shared/settings/settingRecord.ts';
import { toUnslothRun } from './runUnslothConfig.ts';

const FILL_IN = 'FILL_IN';
/** What TRL needs beside the recorded settings, so that the studio can read the copy back while it trains. */
const REPORT: Line = { key: 'report_to', value: 'tensorboard', note: 'the studio reads it back; needs tensorboard' };
/** Their rewards are code. */
const REWARDED: ReadonlySet<string> = new Set(['grpo', 'rloo']);

const toPlace = (run: Candidate, at: number): string => `outputs/${toSlug(at + 1, toCandidateName(run))}`;

/** Names or paths as recorded; null: they were not. */
function toDatasets(run: Candidate): readonly string[] | null {
  const recorded = extra(run, 'datasets');
  return recorded === null ? null : String(recorded).split(/\s*,\s*/);
}

/** The data as recorded. How its columns are called is not. */
function toDataLines(run: Candidate, trainer: 'axolotl' | 'llama-factory' | 'trl'): readonly string[] {
  const recorded = toDatasets(run);
  const names = recorded ?? [FILL_IN];
  const hint = recorded === null ? '  # the data was not recorded: put it here' : '  # as recorded; check its columns';
  if (trainer === 'llama-factory')
    return [`dataset: ${toQuoted(names.join(','))}${hint}; an entry of data/dataset_info.json`];
  const form =
    trainer === 'axolotl' ? '\n    type: chat_template  # not recorded: set it to the form of your rows' : '';
  return ['datasets:', ...names.map((name) => `  - path: ${toQuoted(name)}${hint}${form}`)];
}

/** A value that must be set: no parser takes an alias without an anchor. */
const toYamlValue = ({ key, value }: Line): string => (value === '' ? `*set_the_${key}` : toValueText(value));

function toYaml(run: Candidate, at: number, input: ExportInput, trainer: 'axolotl' | 'llama-factory' | 'trl'): string {
  const changes = toChanges(run, input, trainer);
  const method = toMethod(run) ?? 'sft';
  const place: Line = { key: 'output_dir', value: toPlace(run, at), note: null };
  const toLine = (line: Line): string => {
    const change = changes.get(line.key);
    const notes = [...(line.note === null ? [] : [line.note]), ...(change === undefined ? [] : [`changed: ${change}`])];
    return `${line.key}: ${toYamlValue(line)}${notes.length === 0 ? '' : `  ${toComment(notes.join('; '))}`}`;
  };
  const ofTrl = [
    ...(REWARDED.has(method) ? ['reward_funcs: *set_the_reward_funcs  # they are code: a list of their names'] : []),
    toLine(REPORT),
  ];
  return [
    ...(trainer === 'trl' ? [toComment(`trl ${method} --config FILE`)] : []),
    ...toHead(run, input, trainer),
    ...(trainer === 'axolotl' ? toEpochNotes(run.n_epochs, String(extra(run, 'packing')) === 'true') : []),
    ...toLines(run, input, trainer).map(toLine),
    ...(trainer === 'trl' ? ofTrl : []),
    ...toDataLines(run, trainer),
    toLine(place),
    '',
  ].join('\n');
}

type ShellTrainer = 'trl' | 'ms-swift' | 'torchtune' | 'litgpt';

interface Shell {
  readonly toProgram: (run: Candidate) => string;
  /** `--key value`, or `key=value`. */
  readonly joint: ' ' | '=';
  /** The flag of the data, and whether it takes several. */
  readonly data: readonly [flag: string, takesSeveral: boolean];
  readonly output: string;
  /** Set what else a trainer needs. */
  readonly more: (run: Candidate) => readonly string[];
}

const needed = (name: string, why: string): string => `"\${${name}:?${why}}"`;
const toRewards = (run: Candidate): readonly string[] =>
  REWARDED.has(toMethod(run) ?? 'sft')
    ? [`--reward_funcs ${needed('REWARD_FUNCS', 'the reward functions are code: name them')}`]
    : [];

const SHELLS: Readonly<Record<ShellTrainer, Shell>> = {
  trl: {
    toProgram: (run) => `trl ${toMethod(run) ?? 'sft'}`,
    joint: ' ',
    data: ['--dataset_name', false],
    output: '--output_dir',
    more: (run) => [
      ...(toMethod(run) === 'distillation' && extra(run, 'teacher_model_name_or_path') === null
        ? [`--teacher_model_name_or_path ${needed('TEACHER', 'the run did not record it')}`]
        : []),
      ...toRewards(run),
      `--${REPORT.key} ${REPORT.value as string}`,
    ],
  },
  'ms-swift': {
    toProgram: (run) => `swift ${(toMethod(run) ?? 'sft') === 'sft' ? 'sft' : 'rlhf'}`,
    joint: ' ',
    data: ['--dataset', true],
    output: '--output_dir',
    more: toRewards,
  },
  torchtune: {
    toProgram: (run) =>
      `tune run ${isAdapter(run) ? 'lora' : 'full'}_finetune_single_device --config ` +
      needed('CONFIG', 'the one for this model: see tune ls'),
    joint: '=',
    data: ['dataset.source', false],
    output: 'output_dir',
    more: () => [],
  },
  litgpt: {
    toProgram: (run) => `litgpt finetune_${isAdapter(run) ? 'lora' : 'full'}`,
    joint: ' ',
    data: ['--data JSON --data.json_path', false],
    output: '--out_dir',
    more: () => [],
  },
};

/** A value as words of a shell. TRL takes the items of a list one by one. */
function toWords(value: Value): readonly string[] {
  if (typeof value === 'number') return [toConfigNumber(value)];
  if (typeof value !== 'object') return [String(value)];
  if (!('json' in value)) return value;
  return Array.isArray(value.json) && value.json.every((each) => typeof each !== 'object')
    ? value.json.map(String)
    : [JSON.stringify(value.json)];
}

const ARGUMENT = 'optimizer.init_args.';

/** litgpt 0.5.13 takes the arguments of an optimizer only together with its class, as one value. AdamW is its own default. */
function toOptimizerFlag(lines: readonly Line[]): string {
  const toArgument = ({ key, value }: Line): string => {
    const text =
      value === ''
        ? `'${needed('LEARNING_RATE', 'the run did not record it')}'`
        : toValueText(value).replaceAll("'", String.raw`'\''`);
    return `"${key.slice(ARGUMENT.length)}": ${text}`;
  };
  const settings = lines.filter(({ key }) => key.startsWith(ARGUMENT)).map(toArgument);
  return `--optimizer '{"class_path": "torch.optim.AdamW", "init_args": {${settings.join(', ')}}}'`;
}

function toShell(run: Candidate, at: number, input: ExportInput, trainer: ShellTrainer): string {
  const { toProgram, joint, data, output, more } = SHELLS[trainer];
  const names = toDatasets(run);
  const [flag, takesSeveral] = data;
  const isOne = names !== null && (names.length === 1 || takesSeveral);
  const toFlag = ({ key, value }: Line): string => {
    // litgpt has its base model without a flag.
    const name = joint === '=' ? key : key === 'checkpoint_dir' ? '' : `--${key}`;
    if (value === '')
      return key === 'learning_rate' || key === 'optimizer.lr'
        ? `${name}${joint}${needed('LEARNING_RATE', 'the run did not record it')}`
        : `${name}${name === '' ? '' : joint}${needed('BASE_MODEL', 'set it to the name on the hub, or the path')}`;
    if (joint === '=') {
      const text =
        typeof value === 'string'
          ? value
          : typeof value === 'object'
            ? `[${toWords(value).join(',')}]`
            : toWords(value)[0];
      return `${name}=${toShellWord(text ?? '')}`;
    }
    // Flags without a value in TRL.
    if (value === true && /^(?:use_peft|load_in_4bit)$/.test(key)) return name;
    if (name === '') return toShellWord(String(value));
    if (typeof value === 'string') return `${name}${toFlagValue(value)}`;
    return `${name} ${toWords(value).map(toShellWord).join(' ')}`;
  };
  const dataValue =
    names === null
      ? needed('DATASET', 'the data was not recorded: set it')
      : needed('DATASET', 'the run used several, and this command takes one: set it');
  const first = names?.[0] ?? '';
  const toData = (): string => {
    if (!isOne) return `${flag}${joint}${dataValue}`;
    if (joint === '=') return `${flag}=${toShellWord(first)}`;
    return names.length > 1 ? `${flag} ${names.map(toShellWord).join(' ')}` : `${flag}${toFlagValue(first)}`;
  };
  const lines = toLines(run, input, trainer);
  const isOptimizer = ({ key }: Line): boolean => trainer === 'litgpt' && key.startsWith('optimizer');
  const flags = [
    ...lines.filter((line) => !isOptimizer(line)).map(toFlag),
    ...(lines.some(isOptimizer) ? [toOptimizerFlag(lines)] : []),
    toData(),
    ...more(run),
    `${output}${joint}${toShellWord(toPlace(run, at))}`,
  ];
  const changes = [...toChanges(run, input, trainer)].map(([key, was]) =>
    toComment(`changed: ${joint === '=' ? '' : '--'}${key} was ${was}`),
  );
  const several = names !== null && !isOne ? [toComment(`data: ${names.join(', ')}`)] : [];
  const command = `${toProgram(run)} \\\n  ${flags.join(' \\\n  ')}`;
  return [...toHead(run, input, trainer), ...several, ...changes, command, ''].join('\n');
}

/** `adapter_config.json`, as `get_peft_model` and `LoraConfig.from_pretrained` take it. */
function toPeftConfig(run: Candidate, input: ExportInput): string {
  const toJson = ({ key, value }: Line): unknown => {
    if (typeof value !== 'object') return value;
    const list = 'json' in value ? value.json : value;
    // PEFT takes a word for all layers.
    return key === 'target_modules' && Array.isArray(list) && list.length === 1 && list[0] === 'all-linear'
      ? 'all-linear'
      : list;
  };
  const entries = toLines(run, input, 'peft').map((line) => [line.key, toJson(line)]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** Runs of folders as a config of a trainer. `isYaml`: as a file, where a trainer takes commands too. */
export function toRunConfig(input: ExportInput, trainer: RunTrainer, isYaml = false): string {
  const each = (toText: (run: Candidate, at: number) => string): readonly string[] => input.candidates.map(toText);
  if (trainer === 'unsloth') return each((run, at) => toUnslothRun(run, at, input)).join('\n');
  if (trainer === 'peft') return each((run) => toPeftConfig(run, input)).join('\n');
  if (trainer === 'axolotl' || trainer === 'llama-factory' || (trainer === 'trl' && isYaml))
    return each((run, at) => toYaml(run, at, input, trainer)).join('---\n');
  return `set -eu\n\n${each((run, at) => toShell(run, at, input, trainer)).join('\n')}`;
}
