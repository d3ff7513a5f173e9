// A grid as CSV or JSONL. Nothing is left out: prompts, variables, expectations, answers, verdicts, failures.
// Both come in parts, so that whoever writes them can let the page breathe. It must not know where the text goes.
import Papa from 'papaparse';
import type { PromptRow } from '../evaluation/promptRows';
import type { CellVerdict, GridBook } from './gridBook';
import { rowVariables } from './gridSetup';

interface ExportedCell {
  readonly state: string;
  readonly text: string | null;
  readonly tool_calls: readonly { readonly name: string; readonly arguments: string }[] | null;
  readonly finish_reason: string | null;
  readonly completion_tokens: number | null;
  readonly ms: number | null;
  readonly check: 'pass' | 'fail' | 'no-check' | null;
  readonly reason: string | null;
}

type VerdictOf = ((at: number) => CellVerdict) | null;

function toExportedCell(book: GridBook, at: number, verdictOf: VerdictOf): ExportedCell {
  const cell = book.cells[at];
  const verdict = verdictOf?.(at) ?? null;
  const answer = cell?.state === 'done' ? cell.answer : null;
  const reason = cell?.state === 'failed' ? cell.message : verdict !== null && verdict.state !== 'pass' ? verdict.reason : null;
  return {
    state: cell?.state ?? 'waiting',
    text: answer?.text ?? (cell?.state === 'failed' && cell.text !== '' ? cell.text : null),
    tool_calls: answer && answer.toolCalls.length > 0 ? answer.toolCalls : null,
    finish_reason: answer?.finish_reason ?? null,
    completion_tokens: answer?.completion_tokens ?? null,
    ms: answer ? Math.round(answer.ms) : null,
    check: verdict?.state ?? null,
    reason,
  };
}

/** Column names are made unique, so that no answer overwrites another. */
function toNames(book: GridBook): readonly string[] {
  const used = new Map<string, number>();
  return book.setup.columns.map(({ label }) => {
    const count = (used.get(label) ?? 0) + 1;
    used.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

const ROWS_A_PART = 200;

interface Entry {
  readonly row: PromptRow;
  readonly place: number;
}

/** The rows at these places, some at a time. */
function* toParts(book: GridBook, places: readonly number[]): Generator<readonly Entry[], void, undefined> {
  for (let start = 0; start < places.length; start += ROWS_A_PART) {
    yield places.slice(start, start + ROWS_A_PART).flatMap((place) => {
      const row = book.setup.rows[place];
      return row ? [{ row, place }] : [];
    });
  }
}

/** One line per row at `places`. */
export function* toGridJsonl(book: GridBook, verdictOf: VerdictOf, places: readonly number[]): Generator<string, void, undefined> {
  const { columns, prompt } = book.setup;
  const names = toNames(book);
  const toLine = ({ row, place }: Entry): string => {
    const answers = columns.map((_, column) => [names[column] ?? '', toExportedCell(book, place * columns.length + column, verdictOf)] as const);
    const variables = row.variables.size > 0 ? { variables: Object.fromEntries(row.variables) } : {};
    const question = row.messages === null ? { prompt, ...variables } : { messages: row.messages, ...variables };
    return `${JSON.stringify({ row: row.number, ...question, expected: row.expected, answers: Object.fromEntries(answers) })}\n`;
  };
  for (const part of toParts(book, places)) yield part.map(toLine).join('');
}

const unparse = (lines: readonly (readonly (string | number)[])[]): string => `${Papa.unparse(lines.map((line) => [...line]), { escapeFormulae: true, newline: '\r\n' })}\r\n`;

/** One line per row at `places`, under a header; fields that a spreadsheet would run as a formula are escaped. */
export function* toGridCsv(book: GridBook, verdictOf: VerdictOf, places: readonly number[]): Generator<string, void, undefined> {
  const { rows, columns } = book.setup;
  const names = toNames(book);
  const variables = rowVariables(rows);
  yield unparse([['row', 'messages', ...variables, 'expected', ...names.flatMap((name) => [name, `${name}: state`, `${name}: check`, `${name}: reason`, `${name}: ms`])]]);
  const toCells = (place: number): readonly (string | number)[] =>
    columns.flatMap((_, column) => {
      const cell = toExportedCell(book, place * columns.length + column, verdictOf);
      const calls = cell.tool_calls === null ? '' : JSON.stringify(cell.tool_calls);
      return [cell.text === null || cell.text === '' ? calls : cell.text, cell.state, cell.check ?? '', cell.reason ?? '', cell.ms ?? ''];
    });
  const toLine = ({ row, place }: Entry): readonly (string | number)[] => {
    const question: readonly (string | number)[] = [row.number, row.messages === null ? '' : JSON.stringify(row.messages)];
    return question.concat(variables.map((name) => row.variables.get(name) ?? ''), row.expected ?? '', toCells(place));
  };
  for (const part of toParts(book, places)) yield unparse(part.map(toLine));
}
