// Reads rows of prompts: JSON, JSONL (chat rows or plain objects), CSV with a header, or one prompt a line. Unreadable
// rows are reported with their place; the others stay.
import Papa from 'papaparse';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { isChatList, readObjectRow } from './chatRow.ts';
import { findDelimiter } from './delimiter.ts';
import { openUnguard } from './gridCsv.ts';
import { parseJsonText } from '#core/contract/jsonText.ts';
import {
  failRow,
  toLineRow,
  toVariableRow,
  type PromptRow,
  type RowFormat,
  type RowProblem,
  type RowRead,
} from './promptRow.ts';
import { guessFormat } from './rowFormat.ts';

export interface ReadRows {
  readonly format: RowFormat;
  readonly rows: readonly PromptRow[];
  readonly problems: readonly RowProblem[];
  /** The header of a table, else null. */
  readonly header: readonly string[] | null;
}

type Place = Pick<RowProblem, 'line' | 'entry'>;

const MAX_PROBLEMS = 20;

function collect(format: RowFormat, reads: Iterable<readonly [place: Place, read: RowRead]>): ReadRows {
  const rows: PromptRow[] = [];
  const problems: RowProblem[] = [];
  let failed = 0;
  const report = (place: Place, message: string): void => {
    if ((failed += 1) <= MAX_PROBLEMS) problems.push({ ...place, message });
  };
  for (const [place, read] of reads) {
    if (read.ok) rows.push({ number: rows.length + 1, ...read.row });
    if (!read.ok) report(place, read.message);
    else if (read.note !== undefined) report(place, read.note);
  }
  const unit = format === 'json' ? 'rows' : 'lines';
  if (failed > MAX_PROBLEMS)
    problems.push({ line: 0, message: `${failed - MAX_PROBLEMS} more ${unit} could not be read.` });
  return { format, rows, problems, header: null };
}

function readEntry(value: unknown): RowRead {
  if (isObject(value)) return readObjectRow(value);
  if (typeof value === 'string')
    return value.trim() === '' ? failRow('An empty text.') : { ok: true, row: toLineRow(value) };
  return failRow(
    `${Array.isArray(value) ? 'A list' : `The value ${JSON.stringify(value)}`}; a row is an object or a text.`,
  );
}

/** Where a text stops being JSON, and what follows there: the messages of JSON.parse differ between browsers. */
function findDamage(text: string): { readonly line: number; readonly message: string } {
  const fault = parseJsonText(text);
  const { line, column, offset } = fault.ok ? { line: 0, column: 0, offset: 0 } : fault;
  const found =
    offset >= text.trimEnd().length
      ? 'it ends before it is complete'
      : `nothing fits from “${text.slice(offset, offset + 20).split('\n', 1)[0] ?? ''}” on`;
  return { line, message: `Invalid JSON at column ${column}: ${found}.` };
}

function readJsonLine(line: string): RowRead {
  const value = parseJson(line);
  return value === undefined ? failRow(findDamage(line).message) : readEntry(value);
}

/** An array of rows, or one row: an object or a chat. */
function readJson(text: string): ReadRows {
  const value = parseJson(text);
  if (value === undefined) {
    const { line, message } = findDamage(text);
    return {
      format: 'json',
      rows: [],
      header: null,
      problems: [{ line, message: `${message} Nothing was read; correct it there, or choose another format.` }],
    };
  }
  if (!Array.isArray(value)) return collect('json', [[{ line: 0 }, readEntry(value)]]);
  const entries: readonly unknown[] = value;
  if (isChatList(entries)) return collect('json', [[{ line: 0 }, readObjectRow({ messages: entries })]]);
  return collect(
    'json',
    entries.map((entry, at) => [{ line: 0, entry: at + 1 }, readEntry(entry)]),
  );
}

/** The line in which each record begins: quoted fields may span lines. */
function toFirstLines(records: readonly (readonly string[])[]): readonly number[] {
  let line = 1;
  return records.map((fields) => {
    const first = line;
    for (const field of fields) line += field.match(/[\n\r]/g)?.length ?? 0;
    line += 1;
    return first;
  });
}

function readCsv(text: string): ReadRows {
  const delimiter = findDelimiter(text);
  const { data, errors, meta } = Papa.parse<string[]>(text, delimiter === null ? {} : { delimiter });
  const lines = toFirstLines(data);
  const [header, ...records] = data.flatMap((fields, at) =>
    fields.every((field) => field.trim() === '') ? [] : [{ fields, line: lines[at] ?? 0 }],
  );
  const unguard = openUnguard(header?.fields ?? []);
  const names = (header?.fields ?? []).map(unguard);
  const seen = new Set<string>();
  const doubled = names.find((name) => name.trim() !== '' && (seen.has(name.trim()) || !seen.add(name.trim())));
  const problems = errors
    .filter((error) => error.type !== 'Delimiter')
    .slice(0, MAX_PROBLEMS)
    .map((error): RowProblem => ({ line: lines[error.row ?? 0] ?? lines.at(-1) ?? 1, message: error.message }));
  if (doubled !== undefined)
    problems.unshift({
      line: header?.line ?? 1,
      message: `The column “${doubled.trim()}” occurs twice; the last one counts.`,
    });
  if (meta.aborted) problems.push({ line: 0, message: 'Reading stopped before the end.' });
  const read = collect(
    'csv',
    records.map(({ fields, line }): readonly [Place, RowRead] => {
      if (fields.length > names.length)
        return [{ line }, failRow(`${fields.length} fields, but the header has ${names.length}.`)];
      return [
        { line },
        { ok: true, row: toVariableRow(names.map((name, column) => [name, unguard(fields[column] ?? '')])) },
      ];
    }),
  );
  return { ...read, problems: [...problems, ...read.problems], header: names.map((name) => name.trim()) };
}

/** Reads rows. `format` overrules the guess. Never throws; problems name their place. */
export function parseRows(text: string, format: RowFormat = guessFormat(text)): ReadRows {
  const bare = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (format === 'json') return readJson(bare);
  if (format === 'csv') return readCsv(bare);
  const lines = bare
    .split(/\r\n|\r|\n/)
    .map((line, at) => [{ line: at + 1 }, line] as const)
    .filter(([, line]) => line.trim() !== '');
  if (format === 'jsonl')
    return collect(
      'jsonl',
      lines.map(([place, line]) => [place, readJsonLine(line)]),
    );
  return collect(
    'lines',
    lines.map(([place, line]) => [place, { ok: true, row: toLineRow(line) }]),
  );
}
