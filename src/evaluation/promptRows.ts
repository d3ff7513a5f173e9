// Rows of prompts as people have them: JSONL (chat rows or plain objects), CSV with a header, or a line per prompt.
// What can't be read is named by its line; what can is kept. It must not know what is done with the rows.
import Papa from 'papaparse';

export interface RowMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface PromptRow {
  /** 1-based place among the rows read. */
  readonly number: number;
  /** A chat to continue, ending with the user's message; null: the composer's prompt, filled with the variables. */
  readonly messages: readonly RowMessage[] | null;
  readonly variables: ReadonlyMap<string, string>;
  /** The answer that is hoped for: a chat row's last answer, or the column `expected`. */
  readonly expected: string | null;
}

export interface RowProblem {
  /** 1-based line of the text. */
  readonly line: number;
  readonly message: string;
}

export interface ReadRows {
  readonly format: 'jsonl' | 'csv' | 'lines';
  readonly rows: readonly PromptRow[];
  readonly problems: readonly RowProblem[];
}

export type RowFormat = ReadRows['format'];

/** A line per prompt: the prompt's name among the variables. */
export const LINE_VARIABLE = 'prompt';
const EXPECTED = 'expected';
const MAX_PROBLEMS = 20;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const NO_VARIABLES: ReadonlyMap<string, string> = new Map();

type Draft = Omit<PromptRow, 'number'>;
type DraftRead = { readonly ok: true; readonly row: Draft } | { readonly ok: false; readonly message: string };

function readChatRow(entries: readonly unknown[]): DraftRead {
  const messages: RowMessage[] = [];
  for (const [at, entry] of entries.entries()) {
    if (!isObject(entry)) return { ok: false, message: `messages[${at}] is not an object.` };
    const { role, content } = entry;
    if (role !== 'system' && role !== 'user' && role !== 'assistant') return { ok: false, message: `messages[${at}].role is ${toText(role ?? null)}; a row may hold system, user and assistant.` };
    if (role === 'system' && at > 0) return { ok: false, message: `messages[${at}] is a system message; only the first may be one.` };
    if (typeof content !== 'string') return { ok: false, message: `messages[${at}].content is not a text.` };
    messages.push({ role, content });
  }
  const last = messages.at(-1);
  const expected = last?.role === 'assistant' ? last.content : null;
  const prompt = expected === null ? messages : messages.slice(0, -1);
  if (prompt.at(-1)?.role !== 'user') return { ok: false, message: 'No user message to answer at the end of messages.' };
  return { ok: true, row: { messages: prompt, variables: NO_VARIABLES, expected } };
}

function toVariableRow(entries: readonly (readonly [string, unknown])[]): Draft {
  const texts = entries.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => [name.trim(), toText(value)] as const);
  const variables = new Map(texts.filter(([name]) => name !== ''));
  return { messages: null, variables, expected: variables.get(EXPECTED) ?? null };
}

function readJsonLine(line: string): DraftRead {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { ok: false, message: `Not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(value)) return { ok: false, message: 'Not a JSON object.' };
  const { messages, ...rest } = value;
  if (!Array.isArray(messages)) return { ok: true, row: toVariableRow(Object.entries(value)) };
  const chat = readChatRow(messages);
  if (!chat.ok) return chat;
  const { variables, expected } = toVariableRow(Object.entries(rest));
  return { ok: true, row: { ...chat.row, variables, expected: expected ?? chat.row.expected } };
}

function collect(format: RowFormat, reads: Iterable<readonly [line: number, read: DraftRead]>): ReadRows {
  const rows: PromptRow[] = [];
  const problems: RowProblem[] = [];
  let failed = 0;
  for (const [line, read] of reads) {
    if (read.ok) rows.push({ number: rows.length + 1, ...read.row });
    else if ((failed += 1) <= MAX_PROBLEMS) problems.push({ line, message: read.message });
  }
  if (failed > MAX_PROBLEMS) problems.push({ line: 0, message: `${failed - MAX_PROBLEMS} more lines could not be read.` });
  return { format, rows, problems };
}

/** The line of the text in which each record begins: quoted fields may span lines. */
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
  const { data, errors, meta } = Papa.parse<string[]>(text);
  const lines = toFirstLines(data);
  const [header, ...records] = data.flatMap((fields, at) => (fields.every((field) => field.trim() === '') ? [] : [{ fields, line: lines[at] ?? 0 }]));
  const names = header?.fields ?? [];
  const seen = new Set<string>();
  const doubled = names.find((name) => name.trim() !== '' && (seen.has(name.trim()) || !seen.add(name.trim())));
  const problems = errors.filter((error) => error.type !== 'Delimiter').slice(0, MAX_PROBLEMS).map((error): RowProblem => ({ line: lines[error.row ?? 0] ?? lines.at(-1) ?? 1, message: error.message }));
  if (doubled !== undefined) problems.unshift({ line: header?.line ?? 1, message: `The column “${doubled.trim()}” occurs twice; the last one counts.` });
  if (meta.aborted) problems.push({ line: 0, message: 'Reading stopped before the end.' });
  const read = collect(
    'csv',
    records.map(({ fields, line }): readonly [number, DraftRead] => {
      if (fields.length > names.length) return [line, { ok: false, message: `${fields.length} fields, but the header has ${names.length}.` }];
      return [line, { ok: true, row: toVariableRow(names.map((name, column) => [name, fields[column] ?? ''])) }];
    }),
  );
  return { ...read, problems: [...problems, ...read.problems] };
}

/** JSONL when the first line is a JSON object, CSV when the first line has a separator and more follow, else lines. */
export function guessFormat(text: string): RowFormat {
  const [first = '', second] = text.trim().split(/\r?\n/, 2);
  if (first.trimStart().startsWith('{') && !first.startsWith('{{')) return 'jsonl';
  return second !== undefined && /[,;\t]/.test(first) ? 'csv' : 'lines';
}

/** Reads rows; `format` overrules the guess. Never throws; problems name their line. */
export function parseRows(text: string, format: RowFormat = guessFormat(text)): ReadRows {
  const bare = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (format === 'csv') return readCsv(bare);
  const lines = bare.split(/\r\n|\r|\n/).map((line, at) => [at + 1, line] as const).filter(([, line]) => line.trim() !== '');
  if (format === 'jsonl') return collect('jsonl', lines.map(([at, line]) => [at, readJsonLine(line)]));
  return collect('lines', lines.map(([at, line]) => [at, { ok: true, row: { messages: null, variables: new Map([[LINE_VARIABLE, line]]), expected: null } }]));
}
