// Changes a grid's rows, prompt and columns, and carries answers over: an answer stays if its request stays the same.
// With another prompt it stays, marked as an answer to an earlier prompt. Pure.
import { isObject } from '#core/contract/readJson.ts';
import { EXPECTED, LINE_VARIABLE, type PromptRow, type RowMessage } from '#features/evaluation/shared/promptRow.ts';
import { isToolColumn } from '#features/evaluation/shared/rowTools.ts';
import { findVariables } from '#features/evaluation/shared/template.ts';
import {
  isSettled,
  toEarlier,
  type GridBook,
  type GridCell,
  type GridColumn,
  type GridSetup,
  type Values,
} from './gridBook.ts';

const DEFAULT_PROMPT = `{{${LINE_VARIABLE}}}`;
export const EMPTY_SETUP: GridSetup = { id: 'grid', prompt: DEFAULT_PROMPT, rows: [], columns: [] };

const renumber = (rows: readonly PromptRow[]): readonly PromptRow[] =>
  rows.map((row, at) => (row.number === at + 1 ? row : { ...row, number: at + 1 }));

export const replaceRows = (setup: GridSetup, rows: readonly PromptRow[]): GridSetup => ({
  ...setup,
  rows: renumber(rows),
});
export const appendRows = (setup: GridSetup, rows: readonly PromptRow[]): GridSetup =>
  replaceRows(setup, [...setup.rows, ...rows]);
export const changeRow = (setup: GridSetup, place: number, row: PromptRow): GridSetup =>
  replaceRows(
    setup,
    setup.rows.map((old, at) => (at === place ? row : old)),
  );
export const removeRow = (setup: GridSetup, place: number): GridSetup =>
  replaceRows(
    setup,
    setup.rows.filter((_, at) => at !== place),
  );

/** The setup without its rows and without what is known of them. */
export function withoutRows(setup: GridSetup): GridSetup {
  const { source: _source, isEvaluation: _isEvaluation, ...rest } = setup;
  return replaceRows(rest, []);
}

/** A row that a person wrote. */
export function toWrittenRow(
  variables: ReadonlyMap<string, string>,
  expected: string | null,
  messages: readonly RowMessage[] | null = null,
): PromptRow {
  return { number: 0, messages, variables, expected };
}

/** Names of the rows' variables, in order of first occurrence, without `expected`. */
export function rowVariables(rows: readonly PromptRow[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of row.variables.keys()) if (name !== EXPECTED) names.add(name);
  return [...names];
}

/** Variables that are texts. A row's own tools are sent as tools. */
export const textVariables = (rows: readonly PromptRow[]): readonly string[] =>
  rowVariables(rows).filter((name) => !isToolColumn(name, rows));

/**
 * The prompt that fits the rows: `wanted` if they bring its variables, else the variable that most likely is the
 * question.
 */
export function toFittingPrompt(rows: readonly PromptRow[], wanted: string): string {
  const names = rowVariables(rows);
  const used = findVariables([wanted]);
  if (wanted.trim() !== '' && used.length > 0 && used.every((name) => names.includes(name))) return wanted;
  const question = names.includes(LINE_VARIABLE) ? LINE_VARIABLE : textVariables(rows)[0];
  return question === undefined ? wanted : `{{${question}}}`;
}

export interface MissingVariable {
  readonly name: string;
  readonly rows: number;
  /** Number of the first row without a value, from 1. */
  readonly first: number;
}

const systemText = ({ request }: GridColumn): string =>
  request.messages.map((message) => message.content ?? '').join('\n');

interface Needs {
  /** Variables of a column's system prompt without a value in the session. */
  readonly system: readonly string[];
  /** Variables of the prompt without a value in the session. */
  readonly prompt: readonly string[];
}

function toNeeds({ prompt, columns }: GridSetup): Needs {
  const findUnfilled = (text: string, { values = {} }: GridColumn): readonly string[] =>
    findVariables([text]).filter((name) => !Object.hasOwn(values, name));
  return {
    system: [...new Set(columns.flatMap((column) => findUnfilled(systemText(column), column)))],
    prompt: [...new Set(columns.flatMap((column) => findUnfilled(prompt, column)))],
  };
}

function countMissing(setup: GridSetup): readonly MissingVariable[] {
  const needs = toNeeds(setup);
  const found = new Map<string, MissingVariable>();
  for (const row of setup.rows) {
    const names = new Set([
      ...(row.messages?.[0]?.role === 'system' ? [] : needs.system),
      ...(row.messages === null ? needs.prompt : []),
    ]);
    for (const name of names) {
      if (row.variables.has(name)) continue;
      const known = found.get(name);
      found.set(name, { name, rows: (known?.rows ?? 0) + 1, first: known?.first ?? row.number });
    }
  }
  return [...found.values()].sort((a, b) => b.rows - a.rows);
}

const missing = new WeakMap<GridSetup, readonly MissingVariable[]>();

/** Variables of prompts without a value in a row or in the session. Cached, because a setup never changes in place. */
export function findMissingVariables(setup: GridSetup): readonly MissingVariable[] {
  const known = missing.get(setup);
  if (known) return known;
  const found = countMissing(setup);
  missing.set(setup, found);
  return found;
}

const rowKey = (row: PromptRow): object => row.messages ?? row.variables;
const isSameQuestion = (a: PromptRow, b: PromptRow): boolean =>
  a.messages === b.messages && a.variables === b.variables;
/** In a JSON schema the order of names matters, because the model reads it. */
const SCHEMAS: ReadonlySet<string> = new Set(['parameters', 'schema']);

/** Equal for equal requests, whatever the order of their fields. Undefined fields don't count. */
function toRequestText(request: object): string {
  return JSON.stringify(request, (name: string, part: unknown): unknown => {
    if (!isObject(part)) return part;
    return SCHEMAS.has(name)
      ? JSON.stringify(part)
      : Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * Everything that an answer depends on. It leaves out the transport, and values of variables that neither the system
 * prompt nor `prompts` use.
 */
function toRequestKey(column: GridColumn, prompts: readonly string[]): string {
  const { stream: _stream, stream_options: _options, ...asked } = column.request;
  const { values } = column;
  const used =
    values === undefined
      ? []
      : findVariables([systemText(column), ...prompts]).filter((name) => Object.hasOwn(values, name));
  return `${toRequestText(asked)}${used
    .map((name) => JSON.stringify([name, values?.[name]]))
    .sort()
    .join('')}`;
}

/**
 * Whether the columns send the same requests in the same order, whatever their names: no answer to `prompts` is lost.
 */
export function isSameRequests(
  a: readonly GridColumn[],
  b: readonly GridColumn[],
  prompts: readonly string[],
): boolean {
  const isSame = (one: GridColumn, other: GridColumn | undefined): boolean =>
    (one.request === other?.request && one.values === other.values) ||
    toRequestKey(one, prompts) === toRequestKey(other ?? one, prompts);
  return a.length === b.length && a.every((column, at) => isSame(column, b[at]));
}

const isSameValues = (a: Values = {}, b: Values = {}): boolean => a === b || toRequestText(a) === toRequestText(b);

/** Whether the columns are equal, in the same order. */
export function isSameColumns(a: readonly GridColumn[], b: readonly GridColumn[]): boolean {
  const isSame = (one: GridColumn, other: GridColumn | undefined): boolean =>
    one === other ||
    (one.label === other?.label &&
      one.name === other.name &&
      one.sampling === other.sampling &&
      isSameValues(one.values, other.values) &&
      (one.request === other.request || toRequestText(one.request) === toRequestText(other.request)));
  return a.length === b.length && a.every((column, at) => isSame(column, b[at]));
}

/**
 * For each of `next` the index of its equal in `old`, each index once. An equal id wins, then the first remaining one.
 */
function findSources(
  old: readonly GridColumn[],
  next: readonly GridColumn[],
  prompts: readonly string[],
): readonly (number | undefined)[] {
  const remaining = old.map((column, place) => ({ place, id: column.id, text: toRequestKey(column, prompts) }));
  const wanted = next.map((column) => ({ id: column.id, text: toRequestKey(column, prompts) }));
  const take = (isMatch: (entry: (typeof remaining)[number]) => boolean): number | undefined => {
    const at = remaining.findIndex(isMatch);
    return at < 0 ? undefined : remaining.splice(at, 1)[0]?.place;
  };
  const own = wanted.map(({ id, text }) => take((entry) => entry.id === id && entry.text === text));
  return wanted.map(({ text }, at) => own[at] ?? take((entry) => entry.text === text));
}

/**
 * An answer after a change of the prompt. It keeps the prompt that it answers, and counts again when that prompt
 * returns.
 */
function toReprompted(cell: GridCell, old: string, prompt: string): GridCell {
  if (old === prompt) return cell;
  const settled = toEarlier(cell) ?? cell;
  if (!isSettled(settled)) return settled;
  const { earlier = old, ...rest } = settled;
  return earlier === prompt ? rest : { ...rest, earlier };
}

/** Earlier prompts with their number of answers, the most common first. */
export function findEarlierPrompts({
  earlierPrompts,
}: GridBook): readonly (readonly [prompt: string, answers: number])[] {
  return [...earlierPrompts].sort(([, a], [, b]) => b - a);
}

/** All prompts that answers of the book belong to. */
export const findAllPrompts = ({ setup, earlierPrompts }: GridBook): readonly string[] => [
  setup.prompt,
  ...earlierPrompts.keys(),
];

/**
 * The cells of `book` whose requests `next` repeats (the prompt may differ), by their new places. Uses no cell twice.
 */
export function carryOver(book: GridBook, next: GridSetup): ReadonlyMap<number, GridCell> {
  const { rows, columns, prompt } = book.setup;
  const oldRows = new Map<object, number[]>();
  for (const [at, row] of rows.entries()) {
    const places = oldRows.get(rowKey(row));
    if (places) places.push(at);
    else oldRows.set(rowKey(row), [at]);
  }
  const sources = findSources(columns, next.columns, findAllPrompts(book));
  const known = new Map<number, GridCell>();
  for (const [place, row] of next.rows.entries()) {
    const from = oldRows.get(rowKey(row))?.shift();
    const old = from === undefined ? undefined : rows[from];
    if (from === undefined || !old || !isSameQuestion(old, row)) continue;
    for (const [column, source] of sources.entries()) {
      const cell = source === undefined ? undefined : book.cells[from * columns.length + source];
      if (cell && cell.state !== 'waiting')
        known.set(
          place * next.columns.length + column,
          row.messages === null ? toReprompted(cell, prompt, next.prompt) : cell,
        );
    }
  }
  return known;
}
