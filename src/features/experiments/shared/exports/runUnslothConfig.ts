// A run of a folder as a notebook cell for Unsloth: what the run recorded, and nothing else. Names: Unsloth's
// FastLanguageModel, TRL's SFTConfig and SFTTrainer.
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toComment, toQuoted, toSlug } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';
import type { Line } from './runConfigLines.ts';
import { extra, isAdapter, isQuantized, toChanges, toHead, toLines, toValueText } from './runSettings.ts';
import { SETTING_ENTRIES } from '#features/runs/shared/settings/settingTable.ts';

const MODEL_KEYS: ReadonlySet<string> = new Set(['model_name', 'max_seq_length']);
const ADAPTER_KEYS: ReadonlySet<string> = new Set(
  SETTING_ENTRIES.flatMap(([, { isOfAdapter, keys }]) => (isOfAdapter && keys.unsloth ? [keys.unsloth] : [])),
);

/** PEFT takes a list of modules, or this word. */
const ALL_LINEAR = 'all-linear';

/** JSON's words for true, false and null are no words of Python. */
function toPython(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return toQuoted(value);
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${toQuoted(name)}: ${toPython(each)}`)
    .join(', ')}}`;
}

function toPythonValue({ value }: Line): string {
  if (Array.isArray(value) && value.length === 1 && value[0] === ALL_LINEAR) return toQuoted(ALL_LINEAR);
  if (typeof value === 'object' && 'json' in value) return toPython(value.json);
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : toValueText(value);
}

const FORMATS: Readonly<Record<string, string>> = { json: 'json', jsonl: 'json', csv: 'csv', parquet: 'parquet' };

/** Loads the rows: a file by its ending, else a name on the hub or a folder. */
function toLoad(name: string): string {
  const format = FORMATS[name.split('.').at(-1)?.toLowerCase() ?? ''];
  return format === undefined
    ? 'load_dataset(DATA, split="train")'
    : `load_dataset(${toQuoted(format)}, data_files=DATA, split="train")`;
}

const guard = (name: string, why: string): readonly string[] => [
  `${name} = None  ${toComment(why)}`,
  `assert ${name}, ${toQuoted(`Set ${name} first: ${why}.`)}`,
];

/** Unsloth's own default is an adapter on a 4-bit model: where the run doesn't say, a person has to. */
const toTraining = (run: Candidate): readonly string[] =>
  run.training_type === null
    ? guard('TRAINING', 'the run did not record it: "full", "lora" or "qlora"')
    : [`TRAINING = ${toQuoted(isAdapter(run) ? (isQuantized(run) ? 'qlora' : 'lora') : 'full')}`];

/** The cell of one run. `at`: its place among those that are exported. */
export function toUnslothRun(run: Candidate, at: number, input: ExportInput): string {
  const changes = toChanges(run, input, 'unsloth');
  const lines = toLines(run, input, 'unsloth');
  const recorded = extra(run, 'datasets');
  const isOne = recorded !== null && !String(recorded).includes(', ');
  const find = (key: string): Line | undefined => lines.find((line) => line.key === key && line.value !== '');
  const say = (key: string, note: string | null = null): string => {
    const change = changes.get(key);
    const notes = [...(note === null ? [] : [note]), ...(change === undefined ? [] : [`changed: ${change}`])];
    return notes.length === 0 ? '' : `  ${toComment(notes.join('; '))}`;
  };
  const toArgument = (line: Line, indent: string): string => {
    const value = line.key === 'learning_rate' && line.value === '' ? 'LEARNING_RATE' : toPythonValue(line);
    return `${indent}${line.key}=${value},${say(line.key, line.note)}`;
  };
  const [base, length] = [find('model_name'), find('max_seq_length')];
  const adapter = lines.filter(({ key }) => ADAPTER_KEYS.has(key));
  const settings = lines.filter(({ key }) => !ADAPTER_KEYS.has(key) && !MODEL_KEYS.has(key));
  return [
    '# %%',
    ...toHead(run, input, 'unsloth'),
    'from unsloth import FastLanguageModel  # before trl, which it patches',
    'from datasets import load_dataset',
    'from trl import SFTConfig, SFTTrainer',
    '',
    ...(base
      ? [`BASE_MODEL = ${toPythonValue(base)}${say('model_name')}`]
      : guard('BASE_MODEL', ['its name on the hub, or its path', changes.get('model_name') ?? []].flat().join('; '))),
    ...(isOne
      ? [`DATA = ${toQuoted(String(recorded))}  # as recorded; check its columns`]
      : guard('DATA', recorded === null ? 'the data was not recorded' : `the run used several: ${recorded}`)),
    ...(find('learning_rate') ? [] : guard('LEARNING_RATE', 'the run did not record it')),
    ...toTraining(run),
    '',
    'model, tokenizer = FastLanguageModel.from_pretrained(',
    '    model_name=BASE_MODEL,',
    ...(length ? [toArgument(length, '    ')] : []),
    '    load_in_4bit=TRAINING == "qlora",',
    '    full_finetuning=TRAINING == "full",',
    ')',
    'if TRAINING != "full":',
    '    model = FastLanguageModel.get_peft_model(',
    '        model,',
    ...adapter.map((line) => toArgument(line, '        ')),
    '    )',
    '',
    'settings = SFTConfig(',
    ...settings.map((line) => toArgument(line, '    ')),
    '    report_to="tensorboard",  # the studio reads it back; needs tensorboard',
    `    output_dir=${toQuoted(`outputs/${toSlug(at + 1, toCandidateName(run))}`)},`,
    ')',
    'trainer = SFTTrainer(',
    '    model=model,',
    '    processing_class=tokenizer,',
    `    train_dataset=${toLoad(isOne ? String(recorded) : '')},`,
    '    args=settings,',
    ')',
    'trainer.train()',
    '',
  ].join('\n');
}
