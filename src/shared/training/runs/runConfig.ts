// Runs of folders as configs of trainers: what a run recorded, and nothing else.
import type { Candidate } from '#shared/training/candidates.ts';
import { toComment, toConfigNumber, toFlagValue, toQuoted, toShellWord, toSlug } from '#shared/training/configText.ts';
import type { ExportInput } from '#shared/training/exportInput.ts';
import { toCandidateName } from '#shared/training/trainingWords.ts';
import { extra, toChanges, toHead, toLines, toMethod, toValueText, type Line, type RunTrainer } from './runSettings.ts';
import { toUnslothRun } from './unslothRun.ts';

const FILL_IN = 'FILL_IN';

/** The data as recorded. How its columns are called is not. */
function toDataLines(run: Candidate, trainer: 'axolotl' | 'llama-factory'): readonly string[] {
  const recorded = extra(run, 'datasets');
  const names = recorded === null ? [FILL_IN] : String(recorded).split(/\s*,\s*/);
  const hint = recorded === null ? '  # the data was not recorded: put it here' : '  # as recorded; check its columns';
  if (trainer === 'llama-factory')
    return [`dataset: ${toQuoted(names.join(','))}${hint}; an entry of data/dataset_info.json`];
  return [
    'datasets:',
    ...names.flatMap((name) => [
      `  - path: ${toQuoted(name)}${hint}`,
      '    type: chat_template  # not recorded: set it to the form of your rows',
    ]),
  ];
}

/** A value that must be set: no parser takes an alias without an anchor. */
const toYamlValue = ({ key, value }: Line): string =>
  value === ''
    ? `*set_the_${key}`
    : toValueText(typeof value === 'object' && key === 'lora_target' ? value.join(',') : value);

function toYaml(run: Candidate, at: number, input: ExportInput, trainer: 'axolotl' | 'llama-factory'): string {
  const changes = toChanges(run, input, trainer);
  const lines = toLines(run, input, trainer).map((line) => {
    const change = changes.get(line.key);
    const notes = [...(line.note === null ? [] : [line.note]), ...(change === undefined ? [] : [`changed: ${change}`])];
    return `${line.key}: ${toYamlValue(line)}${notes.length === 0 ? '' : `  ${toComment(notes.join('; '))}`}`;
  });
  const place = `output_dir: ${toQuoted(`outputs/${toSlug(at + 1, toCandidateName(run))}`)}`;
  return [...toHead(run, input, trainer), ...lines, ...toDataLines(run, trainer), place, ''].join('\n');
}

function toShell(run: Candidate, at: number, input: ExportInput): string {
  const method = toMethod(run) ?? 'sft';
  const recorded = extra(run, 'datasets');
  const several = recorded !== null && String(recorded).includes(', ');
  const data = several
    ? '"${DATASET:?the run used several, and this command takes one: set it}"'
    : recorded === null
      ? '"${DATASET:?the data was not recorded: set it}"'
      : null;
  const toFlag = ({ key, value }: Line): string => {
    if (value === true) return `--${key}`;
    if (value === '')
      return key === 'learning_rate'
        ? `--${key} "\${LEARNING_RATE:?the run did not record it}"`
        : `--${key} "\${BASE_MODEL:?set it to the name on the hub, or the path}"`;
    if (typeof value === 'string') return `--${key}${toFlagValue(value)}`;
    const words =
      typeof value === 'object' ? value : [typeof value === 'number' ? toConfigNumber(value) : String(value)];
    return `--${key} ${words.map(toShellWord).join(' ')}`;
  };
  const flags = [
    ...toLines(run, input, 'trl').map(toFlag),
    data === null ? `--dataset_name${toFlagValue(String(recorded))}` : `--dataset_name ${data}`,
    ...(method === 'grpo' ? ['--reward_funcs "${REWARD_FUNCS:?the reward functions are code: name them}"'] : []),
    `--output_dir ${toShellWord(`outputs/${toSlug(at + 1, toCandidateName(run))}`)}`,
  ];
  const changes = [...toChanges(run, input, 'trl')].map(([key, was]) => toComment(`changed: --${key} was ${was}`));
  const names = several ? [toComment(`data: ${recorded}`)] : [];
  return [...toHead(run, input, 'trl'), ...names, ...changes, `trl ${method} \\\n  ${flags.join(' \\\n  ')}`, ''].join(
    '\n',
  );
}

/** Runs of folders as a config of a trainer. */
export function toRunConfig(input: ExportInput, trainer: RunTrainer): string {
  if (trainer === 'unsloth') return input.candidates.map((run, at) => toUnslothRun(run, at, input)).join('\n');
  const texts = input.candidates.map((run, at) =>
    trainer === 'trl' ? toShell(run, at, input) : toYaml(run, at, input, trainer),
  );
  return trainer === 'trl' ? `set -eu\n\n${texts.join('\n')}` : texts.join('---\n');
}
