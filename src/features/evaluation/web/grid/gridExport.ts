// A grid as CSV (one line per row, for reading) or JSONL (one line per answer, for analysis), with everything:
// requests, expected answers, answers, verdicts, failures. Both come in parts, so that the writer can keep the page
// responsive.
import Papa from 'papaparse';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { guardText } from '#core/contract/csvGuard.ts';
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import { CSV_FACTS, toGridHeader } from '#features/evaluation/shared/gridCsv.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { isEarlier, type CellVerdict, type GridBook, type GridColumn } from './gridBook.ts';
import { toCellRequest } from './gridRequest.ts';
import { rowVariables } from './gridSetup.ts';
import { toSamplingWord } from './sampling.ts';
import { toQuestion } from './gridWords.ts';

export interface GridResults {
  readonly book: GridBook;
  readonly checks: readonly CheckSpec[];
  /** null: nothing was checked. */
  readonly verdictOf: ((at: number) => CellVerdict) | null;
}

/** The state of an answer to an earlier prompt; never `done`. */
const EARLIER = 'earlier prompt';
/** As on the page: a request that failed is one thing, an answer that did not pass is another. */
const STATES = { waiting: 'not run', running: 'running', done: 'done', failed: 'no answer' } as const;
const CHECKED = { pass: 'passed', fail: 'not passed', 'no-check': 'not checked' } as const;

function toExportedAnswer({ book, verdictOf }: GridResults, at: number) {
  const cell = book.cells[at] ?? { state: 'waiting' };
  const verdict = verdictOf?.(at) ?? null;
  const answer = cell.state === 'done' ? cell.answer : null;
  const verdictReason = verdict?.state === 'pass' ? (verdict.note ?? null) : (verdict?.reason ?? null);
  const reason = cell.state === 'failed' ? cell.message : verdictReason;
  return {
    state: isEarlier(cell) ? EARLIER : STATES[cell.state],
    text: answer?.text ?? (cell.state === 'failed' && cell.text !== '' ? cell.text : null),
    tool_calls: answer && answer.toolCalls.length > 0 ? answer.toolCalls : null,
    finish_reason: answer?.finish_reason ?? null,
    prompt_tokens: answer?.prompt_tokens ?? null,
    completion_tokens: answer?.completion_tokens ?? null,
    asked_at: answer?.asked_at === undefined ? null : new Date(answer.asked_at).toISOString(),
    ms: answer ? Math.round(answer.ms) : null,
    check: verdict && CHECKED[verdict.state],
    reason,
  };
}

/** Parameters that influence the answer, without those of the transport. */
function toParameters({
  model: _model,
  messages: _messages,
  stream: _stream,
  stream_options: _options,
  ...parameters
}: ChatRequest): object {
  return parameters;
}

/** The request of a cell; `messages` is null if it can't be built. */
function toExportedRequest({ book }: GridResults, at: number, column: GridColumn, row: PromptRow) {
  const cell = book.cells[at];
  const prompt = cell && isEarlier(cell) ? cell.earlier : book.setup.prompt;
  const built = toCellRequest(column, row, prompt);
  const messages = built.ok ? built.request.messages : null;
  return {
    model: column.request.model,
    sampling: toSamplingWord(column.request),
    system_prompt: messages?.find(({ role }) => role === 'system' || role === 'developer')?.content ?? null,
    parameters: toParameters(built.ok ? built.request : column.request),
    prompt: row.messages === null ? prompt : null,
    messages,
  };
}

/** Makes column names unique, so that no answer overwrites another. */
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

/** The rows at these places, in batches. */
function* toParts(book: GridBook, places: readonly number[]): Generator<readonly Entry[], void, undefined> {
  for (let start = 0; start < places.length; start += ROWS_A_PART) {
    yield places.slice(start, start + ROWS_A_PART).flatMap((place) => {
      const row = book.setup.rows[place];
      return row ? [{ row, place }] : [];
    });
  }
}

/**
 * One line per cell of the rows at `places`, row by row, even without an answer. Each line is complete, so that
 * `pandas.read_json(file, lines=True)` gives a table to group by `column`, without unpacking or joining. The price:
 * settings and checks repeat in every line. Returns the number of changed texts: none.
 */
export function* toGridJsonl(results: GridResults, places: readonly number[]): Generator<string, number, undefined> {
  const { book, checks } = results;
  const { columns } = book.setup;
  const names = toNames(book);
  const toLine = ({ row, place }: Entry, column: GridColumn, columnAt: number): string => {
    const at = place * columns.length + columnAt;
    const question = {
      ...toExportedRequest(results, at, column, row),
      variables: Object.fromEntries(row.variables),
      expected: row.expected,
    };
    return `${JSON.stringify({ row: row.number, column: names[columnAt], ...question, ...toExportedAnswer(results, at), checks })}\n`;
  };
  for (const part of toParts(book, places))
    yield part.flatMap((entry) => columns.map((column, at) => toLine(entry, column, at))).join('');
  return 0;
}

type Field = string | number;

/**
 * One line per row at `places`, under a header. Texts that a spreadsheet would run as a formula get an apostrophe; the
 * generator returns their number. A column's head is its model's id. `rendered prompt` uses the current prompt; the
 * state marks answers to an earlier one.
 */
export function* toGridCsv(results: GridResults, places: readonly number[]): Generator<string, number, undefined> {
  const { book } = results;
  const { rows, columns, prompt } = book.setup;
  const variables = rowVariables(rows);
  let guarded = 0;
  const guard = (field: Field): Field => {
    const safe = typeof field === 'string' ? guardText(field) : field;
    if (safe !== field) guarded += 1;
    return safe;
  };
  const unparse = (lines: readonly (readonly Field[])[]): string =>
    `${Papa.unparse(
      lines.map((line) => line.map(guard)),
      { newline: '\r\n' },
    )}\r\n`;
  yield unparse([toGridHeader(variables, toNames(book))]);
  const toCells = (place: number): readonly Field[] =>
    columns.flatMap(({ request }, column) => {
      const answer = toExportedAnswer(results, place * columns.length + column);
      const calls = answer.tool_calls === null ? '' : JSON.stringify(answer.tool_calls);
      const text: readonly Field[] = [calls !== '' && (answer.text ?? '').trim() === '' ? calls : (answer.text ?? '')];
      const facts = { ...answer, tool_calls: calls, sampling: toSamplingWord(request) };
      return text.concat(CSV_FACTS.map((fact) => facts[fact] ?? ''));
    });
  const toLine = ({ row, place }: Entry): readonly Field[] => {
    const question: readonly Field[] = [row.number, row.messages === null ? '' : JSON.stringify(row.messages)];
    return question.concat(
      variables.map((name) => row.variables.get(name) ?? ''),
      toQuestion(row, prompt, columns[0]?.values),
      row.expected ?? '',
      toCells(place),
    );
  };
  for (const part of toParts(book, places)) yield unparse(part.map(toLine));
  return guarded;
}
