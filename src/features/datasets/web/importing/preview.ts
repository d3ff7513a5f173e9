// What the first lines of a file become: rows as they will be stored, and what is wrong with the others.
import type { ChatRow, RowForm } from '#core/rows/chatRow.ts';
import type { LineProblem } from '#core/rows/lineText.ts';
import { toRowsName } from '#core/rows/rowForms.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import { recogniseForm, type FormGuess } from '#features/datasets/shared/recogniseForm.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import type { FirstLines } from './firstLines.ts';

interface PreviewRow {
  readonly line: number;
  /** Only of an element of a JSON array: where it begins in the line. */
  readonly column?: number | undefined;
  readonly row: ChatRow;
}

/** Lines of a file, or elements of its JSON array. */
export type RowUnit = 'line' | 'element';

export interface Preview {
  readonly rows: readonly PreviewRow[];
  readonly problems: readonly LineProblem[];
  /** What rows are read from. */
  readonly unit: RowUnit;
  /** Lines or elements that were looked at: `read` of them are rows, the others are problems. */
  readonly looked: number;
  readonly read: number;
  /** These are all of the file. */
  readonly isWhole: boolean;
  /** Fields that rows have no place for. The original line keeps them. */
  readonly leftOut: readonly string[];
}

const MAX_ROWS = 5;

const FORM_LABELS: Readonly<Record<RowForm, string>> = {
  preference: 'Pairs of answers (DPO)',
  kto: 'Answers with labels (KTO)',
  preferred: 'Preferred answers',
  mixed: 'Conversations of several forms',
  gemini: 'Gemini (contents)',
  chat: 'Chat rows (messages)',
  sharegpt: 'ShareGPT (conversations)',
  alpaca: 'Alpaca (instruction, input, output)',
  'prompt-completion': 'Prompt and completion',
};

export const recogniseLines = ({ lines }: FirstLines): FormGuess => recogniseForm(lines.map(({ text }) => text));

/** `form` null: nothing says how to read a row. */
export function toPreview(first: FirstLines, form: RowForm | RowMapping | null): Preview {
  const file = {
    unit: first.isArray ? ('element' as const) : ('line' as const),
    looked: first.lines.length + first.problems.length,
    isWhole: first.isWhole,
  };
  if (form === null) return { ...file, rows: [], problems: first.problems, read: 0, leftOut: [] };
  const rows: PreviewRow[] = [];
  const problems = [...first.problems];
  const leftOut = new Set<string>();
  for (const line of first.lines) {
    const read = toChatRow(line, form);
    if (!read.ok) problems.push(read.problem);
    else {
      if (rows.length < MAX_ROWS) rows.push({ line: line.number, column: line.column, row: read.row });
      for (const field of read.leftOut) leftOut.add(field);
    }
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { ...file, rows, problems, read: file.looked - problems.length, leftOut: [...leftOut] };
}

/** "6 of the first 49 lines". */
export const toShareText = (count: number, { looked, unit, isWhole }: Preview): string =>
  `${formatCount(count)} of ${isWhole ? '' : 'the first '}${formatCounted(looked, unit)}`;

/** What a file is, and how many of its lines are rows. */
export function toFormText({ form, objects }: Pick<FormGuess, 'form' | 'objects'>, preview: Preview): string {
  if (form !== null) return `${FORM_LABELS[form]} in ${toShareText(preview.read, preview)}`;
  return objects === 0 ? `no ${preview.unit} that is a JSON object` : 'a format that is not known';
}

/** "12 ShareGPT rows and 3 Alpaca rows": what else is among the first lines. */
export function toOthersText(others: FormGuess['forms']): string {
  const parts = others.map(({ form, count }) => `${formatCount(count)} ${toRowsName(form, count)}`);
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const MAX_NAME = 80;

/** A dataset is called as its file, without the ending: `tickets.2025.jsonl` -> `tickets.2025`. Of a long name the first words. */
export function toDatasetName(fileName: string): string {
  const name = fileName.replace(/^.*[/\\]/, '').replace(/\.(jsonl|ndjson|json|txt|parquet|arrow|feather)$/i, '');
  const whole = name.trim() || 'Dataset';
  if (whole.length <= MAX_NAME) return whole;
  const words = whole.slice(0, MAX_NAME + 1).replace(/[\s_,;.(-]+[^\s_,;.(-]*$/, '');
  return words.length > MAX_NAME / 2 && words.length <= MAX_NAME ? words : whole.slice(0, MAX_NAME);
}
