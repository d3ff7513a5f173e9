// The formats in which candidates are exported: one row each, in the order of the menu. Pure.
import { findMergedNote, findRunsNote } from '#features/experiments/shared/alreadyRun.ts';
import { toAxolotlConfig } from './axolotlConfig.ts';
import { toCandidateCsv, toCandidateJson } from './candidateTable.ts';
import { findCommandGap, findPayloadGap, toCreateCommand, toCreatePayload } from './createPayload.ts';
import type { ExportFormat, ExportInput, ExportKind } from './exportInput.ts';
import { toFileFacts, type FileLanguage } from './fileLanguages.ts';
import { toLlamaFactoryConfig } from './llamaFactoryConfig.ts';
import { findConfigProblem, findLeftOutNote, toKept, toPortableText } from './portable.ts';
import { toRunConfig } from './runConfig.ts';
import { findMethodProblem, findRunProblem } from './runSettings.ts';
import type { RunTrainer } from '#features/runs/shared/settings/settingRecord.ts';
import { findConfigGap, needsRateMeaning } from '#features/experiments/shared/trainingFacts.ts';
import { toTrlConfig } from './trlConfig.ts';
import { toUnslothConfig } from './unslothConfig.ts';

interface FormatRow {
  readonly id: string;
  /** The entry of the menu. */
  readonly label: string;
  /** The name of the file, without its ending. */
  readonly file: string;
  readonly language: FileLanguage;
  readonly toText: (input: ExportInput) => string;
}

type StartRow = FormatRow & Pick<ExportFormat, 'findGap' | 'findProblem'>;

interface ConfigRow extends FormatRow {
  /** How runs of a folder are written. */
  readonly ofRuns: RunTrainer;
}

const none = (): null => null;

/** These start the training. */
const STARTS = [
  {
    id: 'create',
    label: 'Fine-tuning create payload (JSON)',
    file: 'finetuning-create',
    language: 'json',
    toText: toCreatePayload,
    findGap: findPayloadGap,
    findProblem: none,
  },
  {
    id: 'curl',
    label: 'curl that starts it',
    file: 'finetuning-create',
    language: 'shell',
    toText: toCreateCommand,
    findGap: findCommandGap,
    findProblem: () => null,
  },
] as const satisfies readonly StartRow[];

/** Configs of trainers. */
const CONFIGS = [
  {
    id: 'axolotl',
    label: 'Axolotl (YAML)',
    file: 'axolotl',
    language: 'yaml',
    toText: toAxolotlConfig,
    ofRuns: 'axolotl',
  },
  {
    id: 'llamafactory',
    label: 'LLaMA-Factory (YAML)',
    file: 'llamafactory',
    language: 'yaml',
    toText: toLlamaFactoryConfig,
    ofRuns: 'llama-factory',
  },
  { id: 'trl', label: 'TRL (shell)', file: 'trl', language: 'shell', toText: toTrlConfig, ofRuns: 'trl' },
  {
    id: 'unsloth',
    label: 'Unsloth (notebook cell)',
    // Not the package's own name: Python would import the file instead.
    file: 'unsloth-sft',
    language: 'python',
    toText: toUnslothConfig,
    ofRuns: 'unsloth',
  },
] as const satisfies readonly ConfigRow[];

/** What only runs of folders are written as: they record all that these need. */
const RUN_CONFIGS = [
  { id: 'trl-yaml', label: 'TRL (YAML)', file: 'trl', language: 'yaml', trainer: 'trl' },
  { id: 'ms-swift', label: 'ms-swift (shell)', file: 'ms-swift', language: 'shell', trainer: 'ms-swift' },
  { id: 'torchtune', label: 'torchtune (shell)', file: 'torchtune', language: 'shell', trainer: 'torchtune' },
  { id: 'litgpt', label: 'litgpt (shell)', file: 'litgpt', language: 'shell', trainer: 'litgpt' },
  { id: 'peft', label: 'PEFT adapter_config (JSON)', file: 'adapter_config', language: 'json', trainer: 'peft' },
] as const satisfies readonly (Omit<FormatRow, 'toText'> & { readonly trainer: RunTrainer })[];

const TABLES = [
  { id: 'csv', label: 'CSV', file: 'candidates', language: 'csv', toText: toCandidateCsv },
  { id: 'json', label: 'JSON', file: 'candidates', language: 'json', toText: toCandidateJson },
] as const satisfies readonly FormatRow[];

export type ConfigId = (typeof CONFIGS)[number]['id'];
export type FormatId = (typeof STARTS | typeof CONFIGS | typeof RUN_CONFIGS | typeof TABLES)[number]['id'];

/** `gap` after what was already run. Two equal candidates would start the same training twice: a start merges them. */
function toFormat<Id extends string>(
  { id, label, file, language, toText, findGap, findProblem }: StartRow & { readonly id: Id },
  kind: ExportKind,
) {
  const findNote = kind === 'start' ? findMergedNote : findRunsNote;
  return {
    id,
    label,
    kind,
    language,
    ...toFileFacts(file, language),
    toText,
    findGap: (input: ExportInput) => toSentences(findNote(input.candidates), findGap(input)),
    asks: (input: ExportInput) => kind === 'config' && needsRateMeaning(input),
    findProblem,
  } satisfies ExportFormat;
}

const toSentences = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(' ') || null;

/** A config leaves out candidates whose base model no trainer can load, and says so. Runs of a folder are all written. */
function toConfigFormat<Id extends string>({ toText, ofRuns, ...row }: ConfigRow & { readonly id: Id }) {
  const format = toFormat({ ...row, toText, findGap: findConfigGap, findProblem: findConfigProblem }, 'config');
  const forRuns =
    <Value>(ofFolder: (input: ExportInput) => Value, ofOthers: (input: ExportInput) => Value) =>
    (input: ExportInput): Value =>
      input.isOfFolder === true ? ofFolder(input) : ofOthers(input);
  return {
    ...format,
    findProblem: forRuns(
      (input) => findRunProblem(input, ofRuns),
      (input) => findConfigProblem(input) ?? findMethodProblem(toKept(input), ofRuns),
    ),
    toText: forRuns(
      (input) => toRunConfig(input, ofRuns),
      (input) => toPortableText(input, toText),
    ),
    findGap: forRuns<string | null>(
      () => RUN_GAP,
      (input) => toSentences(findLeftOutNote(input), format.findGap(toKept(input))),
    ),
    asks: (input: ExportInput) => format.asks(toKept(input)),
  } satisfies ExportFormat;
}

const RUN_GAP = 'Comments at its head say what the run did not record, and what has no place in it.';

function toRunFormat({ trainer, ...row }: (typeof RUN_CONFIGS)[number]): ExportFormat & { readonly id: FormatId } {
  const toText = (input: ExportInput): string => toRunConfig(input, trainer, row.language === 'yaml');
  const findGap = (): string | null => (row.language === 'json' ? null : RUN_GAP);
  const findProblem = (input: ExportInput): string | null => findRunProblem(input, trainer);
  return toFormat({ ...row, toText, findGap, findProblem }, 'config');
}

/** In the order of the menu. */
export const EXPORT_FORMATS: readonly (ExportFormat & { readonly id: FormatId })[] = [
  ...STARTS.map((row) => toFormat(row, 'start')),
  ...CONFIGS.map(toConfigFormat),
  ...TABLES.map((row) => toFormat({ ...row, findGap: none, findProblem: none }, 'table')),
];

/** The same for runs of folders, which have more. */
export const RUN_FORMATS = EXPORT_FORMATS.toSpliced(
  EXPORT_FORMATS.findLastIndex(({ kind }) => kind === 'config') + 1,
  0,
  ...RUN_CONFIGS.map(toRunFormat),
);
