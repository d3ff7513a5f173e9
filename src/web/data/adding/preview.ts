// What the first lines of a file become: rows as they will be stored, and what is wrong with the others.
import type { ChatRow, RowForm } from '#shared/data/chatRow.ts';
import type { LineProblem } from '#shared/data/lineText.ts';
import { toChatRow } from '#shared/data/readRow.ts';
import { recogniseForm, type FormGuess } from '#shared/data/recogniseForm.ts';
import type { RowMapping } from '#shared/data/rowMapping.ts';
import type { FirstLines } from './firstLines.ts';

interface PreviewRow {
  readonly line: number;
  /** Only of an element of a JSON array: where it begins in the line. */
  readonly column?: number | undefined;
  readonly row: ChatRow;
}

export interface Preview {
  readonly rows: readonly PreviewRow[];
  readonly problems: readonly LineProblem[];
  /** Lines that were looked at. */
  readonly looked: number;
  /** Fields that rows have no place for. The original line keeps them. */
  readonly leftOut: readonly string[];
}

const MAX_ROWS = 5;

export const FORM_LABELS: Readonly<Record<RowForm, string>> = {
  chat: 'Chat rows (messages)',
  sharegpt: 'ShareGPT (conversations)',
  alpaca: 'Alpaca (instruction, input, output)',
  'prompt-completion': 'Prompt and completion',
};

export const recogniseLines = ({ lines }: FirstLines): FormGuess => recogniseForm(lines.map(({ text }) => text));

/** `form` null: nothing says how to read a row. */
export function toPreview(first: FirstLines, form: RowForm | RowMapping | null): Preview {
  const looked = first.lines.length + first.problems.length;
  if (form === null) return { rows: [], problems: first.problems, looked, leftOut: [] };
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
  return {
    rows,
    problems: problems.sort((a, b) => a.line - b.line || a.column - b.column),
    looked,
    leftOut: [...leftOut],
  };
}

const MAX_NAME = 80;

/** A dataset is called as its file, without the ending: `tickets.2025.jsonl` -> `tickets.2025`. Of a long name the first words. */
export function toDatasetName(fileName: string): string {
  const name = fileName.replace(/^.*[/\\]/, '').replace(/\.(jsonl|ndjson|json|txt)$/i, '');
  const whole = name.trim() || 'Dataset';
  if (whole.length <= MAX_NAME) return whole;
  const words = whole.slice(0, MAX_NAME + 1).replace(/[\s_,;.(-]+[^\s_,;.(-]*$/, '');
  return words.length > MAX_NAME / 2 && words.length <= MAX_NAME ? words : whole.slice(0, MAX_NAME);
}
