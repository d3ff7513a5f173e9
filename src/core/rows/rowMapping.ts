// A mapping says which columns of an unknown form hold what. People make it in a dialog or send it as JSON.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isObject, ownField, type JsonObject } from '#core/contract/readJson.ts';
import { isDeeperThan, toTooDeepText } from '#core/json/valueDepth.ts';
import { failPart, type ChatRow, type Part, type RowNotes, type RowRole } from './chatRow.ts';
import { noteFields, toRow } from './rowForms.ts';
import { readListText, toRole, withSystem } from './rowMessages.ts';

/** A column is the name of a field, or a path such as `data.question`. A field with that whole name goes first. */
interface PairMapping {
  readonly kind: 'pair';
  /** Columns with the question. Several texts are joined with a blank line. */
  readonly question: readonly string[];
  /** An object or a list there becomes its JSON text. */
  readonly answer: string;
  readonly system?: string;
  readonly tools?: string;
}

interface ListMapping {
  readonly kind: 'list';
  /** The column with the list of messages. */
  readonly messages: string;
  /** The fields of a message. */
  readonly role: string;
  readonly content: string;
  /** What unusual names of roles mean, such as `{"customer": "user"}`. */
  readonly roles?: Readonly<Record<string, RowRole>>;
  readonly system?: string;
  readonly tools?: string;
}

export type RowMapping = PairMapping | ListMapping;

/** The value of a column; undefined if the row doesn't have it. */
export function findColumn(row: JsonObject, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  if (!column.includes('.')) return undefined;
  return column.split('.').reduce<unknown>((value, name) => (isObject(value) ? ownField(value, name) : undefined), row);
}

/** A cell as text: numbers and truth values as JSON writes them. null if it is empty or no text. */
function toCell(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** An answer as text: many tasks ask for JSON, and their files hold it as it is. */
function readAnswer(row: JsonObject, column: string): Part<string> {
  const value = findColumn(row, column);
  if (typeof value === 'object' && value !== null) {
    if (!isDeeperThan(value, REQUEST_LIMITS.jsonDepth)) return { ok: true, value: JSON.stringify(value) };
    const path = Object.hasOwn(row, column) ? [column] : column.split('.');
    return failPart(path, `The answer is ${toTooDeepText(REQUEST_LIMITS.jsonDepth)}. Make it flatter.`);
  }
  const text = toCell(value);
  return text === null ? failPart([], `No text is in ${JSON.stringify(column)}.`) : { ok: true, value: text };
}

const toTop = (column: string, row: JsonObject): string =>
  Object.hasOwn(row, column) ? column : (column.split('.')[0] ?? column);

function noteOthers(row: JsonObject, mapping: RowMapping, notes: RowNotes): void {
  const main = mapping.kind === 'pair' ? [...mapping.question, mapping.answer] : [mapping.messages];
  const columns = [...main, mapping.system, mapping.tools].filter((column) => column !== undefined);
  noteFields(row, new Set(columns.map((column) => toTop(column, row))), notes);
}

function readPair(row: JsonObject, mapping: PairMapping, notes: RowNotes): Part<ChatRow> {
  const texts: string[] = [];
  for (const column of mapping.question) {
    const value = findColumn(row, column);
    const text = toCell(value);
    if (text === null && value !== null && value !== undefined)
      return failPart(column.split('.'), `The column ${JSON.stringify(column)} holds no text.`);
    if (text !== null && text.trim() !== '') texts.push(text);
  }
  const answer = readAnswer(row, mapping.answer);
  if (texts.length === 0)
    return failPart([], `No text is in ${mapping.question.map((column) => JSON.stringify(column)).join(', ')}.`);
  if (!answer.ok) return answer;
  const turns = [
    { role: 'user', content: texts.join('\n\n') },
    { role: 'assistant', content: answer.value },
  ];
  const system = mapping.system === undefined ? null : findColumn(row, mapping.system);
  return toRow(withSystem(system, turns), mapping.tools && findColumn(row, mapping.tools), notes);
}

function readList(row: JsonObject, mapping: ListMapping, notes: RowNotes): Part<ChatRow> {
  const path = mapping.messages.split('.');
  const found = readListText(findColumn(row, mapping.messages), path, notes);
  if (!found.ok) return found;
  const list = found.value;
  if (!Array.isArray(list)) return failPart([], `No list is in ${JSON.stringify(mapping.messages)}.`);
  const turns: unknown[] = [];
  for (const [at, entry] of (list as readonly unknown[]).entries()) {
    if (!isObject(entry)) return failPart([...path, at], 'A message must be an object.');
    const given = ownField(entry, mapping.role);
    const { roles = {} } = mapping;
    // A name that is known may say more: the text of a "function_call" is a call.
    const role = typeof given === 'string' && Object.hasOwn(roles, given) ? roles[given] : given;
    if (toRole(role) === undefined)
      return failPart(
        [...path, at, mapping.role],
        `The role ${(JSON.stringify(given) ?? 'of a message').slice(0, 40)} is not known. Say what it means in ` +
          'the mapping, under "roles".',
      );
    const { [mapping.role]: _, [mapping.content]: content, ...rest } = entry;
    turns.push({ ...rest, role, content: toCell(content) ?? content });
  }
  const system = mapping.system === undefined ? null : findColumn(row, mapping.system);
  return toRow(withSystem(system, turns), mapping.tools && findColumn(row, mapping.tools), notes);
}

/** Reads a row by a mapping. */
export function readMapped(row: JsonObject, mapping: RowMapping, notes: RowNotes): Part<ChatRow> {
  noteOthers(row, mapping, notes);
  return mapping.kind === 'pair' ? readPair(row, mapping, notes) : readList(row, mapping, notes);
}
