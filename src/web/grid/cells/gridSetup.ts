// Changes of a grid's rows, prompt and columns, and what its answers are worth afterwards: an answer stays as long as
// its request would be the same; with another prompt it stays, marked as of an earlier one. Pure.
import { isObject } from '#shared/contract/reading.ts';
import { EXPECTED, LINE_VARIABLE, type PromptRow, type RowMessage } from '#shared/evaluation/promptRow.ts';
import { isToolColumn } from '#shared/evaluation/rowTools.ts';
import { findVariables } from '#shared/evaluation/template.ts';
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

/** A row as a person writes it. */
export function toWrittenRow(
  variables: ReadonlyMap<string, string>,
  expected: string | null,
  messages: readonly RowMessage[] | null = null,
): PromptRow {
  return { number: 0, messages, variables, expected };
}

/** Names of variables that rows bring, in the order of their first occurrence; `expected` is none. */
export function rowVariables(rows: readonly PromptRow[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of row.variables.keys()) if (name !== EXPECTED) names.add(name);
  return [...names];
}

/** Those that are texts: a row's own tools are sent as tools. */
export const textVariables = (rows: readonly PromptRow[]): readonly string[] =>
  rowVariables(rows).filter((name) => !isToolColumn(name, rows));

/**
 * The prompt that fits the rows: `wanted` where they bring its variables, else the variable that is most likely the
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
  /** Number of the first such row, from 1. */
  readonly first: number;
}

const systemText = ({ request }: GridColumn): string =>
  request.messages.map((message) => message.content ?? '').join('\n');

interface Needs {
  /** Variables that a column's system prompt uses and the session has no value for. */
  readonly system: readonly string[];
  /** The same of the prompt. */
  readonly prompt: readonly string[];
}

function toNeeds({ prompt, columns }: GridSetup): Needs {
  const openOf = (text: string, { values = {} }: GridColumn): readonly string[] =>
    findVariables([text]).filter((name) => !Object.hasOwn(values, name));
  return {
    system: [...new Set(columns.flatMap((column) => openOf(systemText(column), column)))],
    prompt: [...new Set(columns.flatMap((column) => openOf(prompt, column)))],
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

/**
 * Variables that prompts use, and neither rows nor the session have a value for. A setup never changes in place: each
 * is looked through once.
 */
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
/** Within a JSON schema the order of names is part of what the model reads. */
const SCHEMAS: ReadonlySet<string> = new Set(['parameters', 'schema']);

/** The same text for the same request, whatever the order of its fields; a field that is undefined is none. */
function toRequestText(request: object): string {
  return JSON.stringify(request, (name: string, part: unknown): unknown => {
    if (!isObject(part)) return part;
    return SCHEMAS.has(name)
      ? JSON.stringify(part)
      : Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * What an answer depends on: how it is carried is none of it, nor values of variables that neither system prompt nor
 * `prompts` use.
 */
function toAskedText(column: GridColumn, prompts: readonly string[]): string {
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

/** Columns ask for the same in the same order, whatever they are called: no answer to `prompts` would go. */
export function isSameRequests(
  a: readonly GridColumn[],
  b: readonly GridColumn[],
  prompts: readonly string[],
): boolean {
  const isSame = (one: GridColumn, other: GridColumn | undefined): boolean =>
    (one.request === other?.request && one.values === other.values) ||
    toAskedText(one, prompts) === toAskedText(other ?? one, prompts);
  return a.length === b.length && a.every((column, at) => isSame(column, b[at]));
}

const isSameValues = (a: Values = {}, b: Values = {}): boolean => a === b || toRequestText(a) === toRequestText(b);

/** Columns ask for the same, in the same order. */
export function isSameColumns(a: readonly GridColumn[], b: readonly GridColumn[]): boolean {
  const isSame = (one: GridColumn, other: GridColumn | undefined): boolean =>
    one === other ||
    (one.label === other?.label &&
      one.name === other.name &&
      isSameValues(one.values, other.values) &&
      (one.request === other.request || toRequestText(one.request) === toRequestText(other.request)));
  return a.length === b.length && a.every((column, at) => isSame(column, b[at]));
}

/**
 * For each of `next` the place of its equal in `old`, each place once: the one of the same id, else the first that is
 * left.
 */
function findSources(
  old: readonly GridColumn[],
  next: readonly GridColumn[],
  prompts: readonly string[],
): readonly (number | undefined)[] {
  const left = old.map((column, place) => ({ place, id: column.id, text: toAskedText(column, prompts) }));
  const wanted = next.map((column) => ({ id: column.id, text: toAskedText(column, prompts) }));
  const take = (isIt: (entry: (typeof left)[number]) => boolean): number | undefined => {
    const at = left.findIndex(isIt);
    return at < 0 ? undefined : left.splice(at, 1)[0]?.place;
  };
  const own = wanted.map(({ id, text }) => take((entry) => entry.id === id && entry.text === text));
  return wanted.map(({ text }, at) => own[at] ?? take((entry) => entry.text === text));
}

/**
 * An answer after the prompt has changed: it keeps the prompt it was asked with, and is one of now again when that one
 * is back.
 */
function toReprompted(cell: GridCell, old: string, prompt: string): GridCell {
  if (old === prompt) return cell;
  const held = toEarlier(cell) ?? cell;
  if (!isSettled(held)) return held;
  const { earlier = old, ...rest } = held;
  return earlier === prompt ? rest : { ...rest, earlier };
}

/** The earlier prompts that answers are kept to, with how many, the most common first. */
export function findEarlierPrompts({
  earlierPrompts,
}: GridBook): readonly (readonly [prompt: string, answers: number])[] {
  return [...earlierPrompts].sort(([, a], [, b]) => b - a);
}

/** All prompts that answers of the book were asked with. */
export const toAskedPrompts = ({ setup, earlierPrompts }: GridBook): readonly string[] => [
  setup.prompt,
  ...earlierPrompts.keys(),
];

/**
 * The cells of `book` whose requests `next` would send again but for another prompt, by their places there; none of
 * them twice.
 */
export function carryOver(book: GridBook, next: GridSetup): ReadonlyMap<number, GridCell> {
  const { rows, columns, prompt } = book.setup;
  const oldRows = new Map<object, number[]>();
  for (const [at, row] of rows.entries()) {
    const places = oldRows.get(rowKey(row));
    if (places) places.push(at);
    else oldRows.set(rowKey(row), [at]);
  }
  const sources = findSources(columns, next.columns, toAskedPrompts(book));
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
