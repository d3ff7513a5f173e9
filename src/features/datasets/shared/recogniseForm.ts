// Recognises the form of a file by its first lines, and guesses a mapping for a form that isn't known.
import { isObject, parseJson, type JsonObject } from '#core/contract/readJson.ts';
import type { FOUND_FORMS, RowForm } from '#core/rows/chatRow.ts';
import { findForm } from '#core/rows/rowForms.ts';
import { isKnownRole, isRoleName, MAX_ROLE_NAMES, findOwnNames, withRoles } from './roleNames.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';

export interface Column {
  readonly name: string;
  readonly kind: 'text' | 'list' | 'object' | 'other';
  /** Of the rows that were looked at. */
  readonly filled: number;
  /** The start of a value, as text. */
  readonly example: string;
}

type FoundForm = (typeof FOUND_FORMS)[number];

export interface FormGuess {
  /** null: no known form; then a mapping is needed. */
  readonly form: RowForm | null;
  /** A guess for a form that isn't known, or whose roles have names that aren't; null if nothing fits, or needs it. */
  readonly mapping: RowMapping | null;
  /** The columns of the rows, in the order of the file, for the dialog that maps them. */
  readonly columns: readonly Column[];
  /** How many of the lines are objects, and how many have the form. */
  readonly objects: number;
  readonly matching: number;
  /** The forms that the objects have, that of most first. */
  readonly forms: readonly { readonly form: FoundForm; readonly count: number }[];
}

const MAX_LINES = 200;
const MAX_NAMES = 200;
const EXAMPLE_CHARACTERS = 120;

/** The lines that are objects; at most 200 are looked at. */
export function parseObjects(texts: readonly string[]): JsonObject[] {
  return texts
    .slice(0, MAX_LINES)
    .map((text) => parseJson(text))
    .filter(isObject);
}

function toKind(value: unknown): Column['kind'] {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'object' : 'other';
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

function toExample(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, EXAMPLE_CHARACTERS);
  if (Array.isArray(value)) return `${value.length} entries`;
  return isObject(value) ? Object.keys(value).join(', ').slice(0, EXAMPLE_CHARACTERS) : String(value);
}

function toColumns(rows: readonly JsonObject[]): Column[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) if (names.size < MAX_NAMES) names.add(name);
  return [...names].map((name) => {
    const values = rows.filter((row) => Object.hasOwn(row, name)).map((row) => row[name]);
    const filled = values.filter(isFilled);
    const [example] = filled;
    return { name, kind: toKind(example), filled: filled.length, example: toExample(example ?? '') };
  });
}

/** Names of columns by what they usually hold, the surest first. */
const QUESTIONS =
  /^(question|query|prompt|instruction|user|human|input|request|message|ticket|problem|text|source)s?$/i;
const ANSWERS =
  /^(answer|response|output|completion|assistant|reply|solution|target|label|chosen|summary|translation|gpt)s?$/i;
const CONTEXTS = /^(context|document|passage|input)s?$/i;
const SYSTEMS = /^(system|system_?(prompt|message)|persona)$/i;
const TOOLS = /^(tools|functions)$/i;

/** The list whose entries have a field of few names, which says who speaks, and a field with the text. */
function guessList(
  rows: readonly JsonObject[],
  columns: readonly Column[],
  isRole: (name: string) => boolean,
): RowMapping | null {
  for (const { name } of columns.filter((column) => column.kind === 'list' && !TOOLS.test(column.name))) {
    const entries = rows.flatMap((row) => (Array.isArray(row[name]) ? (row[name] as unknown[]) : [])).filter(isObject);
    const texts = toColumns(entries.slice(0, MAX_LINES)).filter(({ kind }) => kind === 'text');
    const valuesOf = (field: string): readonly string[] =>
      entries.map((entry) => entry[field]).filter((value) => typeof value === 'string');
    const role = texts.find(({ name: field }) => {
      const distinct = new Set(valuesOf(field));
      return distinct.size > 0 && distinct.size <= MAX_ROLE_NAMES && [...distinct].some(isRole);
    });
    const lengthOf = (field: string): number => valuesOf(field).reduce((sum, text) => sum + text.length, 0);
    const [content] = texts.filter((field) => field !== role).sort((a, b) => lengthOf(b.name) - lengthOf(a.name));
    if (role && content) return { kind: 'list', messages: name, role: role.name, content: content.name };
  }
  return null;
}

/** The place of a column's name among the alternatives of a pattern: the first is the surest. */
const rankOf = (pattern: RegExp, name: string): number => {
  const word = pattern.exec(name)?.[1]?.toLowerCase();
  return word === undefined ? Infinity : pattern.source.indexOf(word);
};
const findBest = (columns: readonly Column[], pattern: RegExp): Column | undefined =>
  columns.filter(({ name }) => pattern.test(name)).sort((a, b) => rankOf(pattern, a.name) - rankOf(pattern, b.name))[0];

function guessPair(columns: readonly Column[]): RowMapping | null {
  const texts = columns.filter(({ kind, filled }) => filled > 0 && (kind === 'text' || kind === 'other'));
  const system = texts.find(({ name }) => SYSTEMS.test(name));
  const open = texts.filter((column) => column !== system);
  const answer = findBest(open, ANSWERS) ?? (open.length === 2 ? open[1] : undefined);
  const rest = open.filter((column) => column !== answer);
  const question = findBest(rest, QUESTIONS) ?? (rest.length === 1 ? rest[0] : undefined);
  if (!answer || !question) return null;
  const context = rest.find((column) => column !== question && CONTEXTS.test(column.name));
  const names = context ? [question.name, context.name] : [question.name];
  return { kind: 'pair', question: names, answer: answer.name, ...(system && { system: system.name }) };
}

const LISTS = {
  chat: { messages: 'messages', role: 'role', content: 'content' },
  sharegpt: { messages: 'conversations', role: 'from', content: 'value' },
} as const;

/** A mapping for rows of a known form with names of roles that aren't; null if all are known. */
function mapRoles(form: RowForm, rows: readonly JsonObject[], columns: readonly Column[]): RowMapping | null {
  if (form !== 'chat' && form !== 'sharegpt') return null;
  const list = { kind: 'list', ...LISTS[form] } as const;
  if (findOwnNames(rows, list).length === 0) return null;
  const extras = columns.filter(({ name, filled }) => (name === 'system' || name === 'tools') && filled > 0);
  return withRoles(rows, { ...list, ...Object.fromEntries(extras.map(({ name }) => [name, name])) });
}

/** Which columns of these rows hold what; null if nothing fits. A person should see its result before it counts. */
export function guessMapping(rows: readonly JsonObject[]): RowMapping | null {
  const columns = toColumns(rows);
  const mapping =
    withRoles(rows, guessList(rows, columns, isKnownRole) ?? guessList(rows, columns, isRoleName)) ??
    guessPair(columns);
  const tools = columns.find(({ name, filled }) => TOOLS.test(name) && filled > 0);
  return mapping && tools ? { ...mapping, tools: tools.name } : mapping;
}

/** `texts`: the first lines of a file; at most 200 are looked at. The form that more of the objects have than any other counts. */
export function recogniseForm(texts: readonly string[]): FormGuess {
  const rows = parseObjects(texts);
  const counts = new Map<FoundForm, number>();
  for (const row of rows) {
    const form = findForm(row);
    if (form) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const forms = [...counts].map(([form, count]) => ({ form, count })).sort((a, b) => b.count - a.count);
  const known = forms.reduce((sum, { count }) => sum + count, 0);
  const [best] = forms;
  const { form, count: matching } = best && known * 2 >= rows.length ? best : { form: null, count: 0 };
  const columns = toColumns(rows);
  const mapping = form === null ? guessMapping(rows) : mapRoles(form, rows, columns);
  return { form, mapping, columns, objects: rows.length, matching, forms };
}
