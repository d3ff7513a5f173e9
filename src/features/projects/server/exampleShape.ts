// What chat rows say about how their model is asked: the JSON schema of its answers, whether rows have one question or
// several, and whether the model goes on after a tool result. Pure.
import { arrayOr, isObject, parseJson, textOr, type JsonObject } from '#core/contract/readJson.ts';
import type { AnswerFormat, Examples } from '#core/contract/sessionInfo.ts';

/** Texts with more different values than this are no fixed set. */
const MAX_CHOICES = 8;
/** Each value of a fixed set is seen at least this often, so that another one is unlikely in further rows. */
const SEEN_EACH = 20;
/** A longer text is no label. Characters. */
const MAX_LABEL = 40;
/** A value is taken from the questions if more than this share of them holds it: then others can be taken as well. */
const COPIED_SHARE = 0.5;

/** A value in an answer, and the labels of that answer that its question holds. */
interface Found {
  readonly value: unknown;
  readonly copied: readonly string[];
}

const messagesOf = (row: JsonObject): readonly JsonObject[] => arrayOr(row['messages']).filter(isObject);

/** The object that a text is; null: none. What begins otherwise is not tried, because a failure takes long. */
function parseObject(text: string): JsonObject | null {
  if (!text.trimStart().startsWith('{')) return null;
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

/** The names of the objects if all values are objects with the same ones; else null. */
function toSameNames(found: readonly Found[]): readonly string[] | null {
  const objects = found.map(({ value }) => value).filter(isObject);
  const [first] = objects;
  if (!first || objects.length < found.length) return null;
  const names = Object.keys(first);
  const isSame = (other: JsonObject): boolean =>
    Object.keys(other).length === names.length && names.every((name) => Object.hasOwn(other, name));
  return objects.every(isSame) ? names : null;
}

function toObjectSchema(found: readonly Found[], names: readonly string[], isWhole: boolean): JsonObject {
  const valuesOf = (name: string): Found[] =>
    found.map(({ value, copied }) => ({ value: isObject(value) ? value[name] : undefined, copied }));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, toValueSchema(valuesOf(name), isWhole)])),
    required: names,
    additionalProperties: false,
  };
}

/** JSON Schema's name of a value's type. */
export function toTypeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The values of texts that are evidently a fixed set; else null. The order of rows says nothing: it may be sorted. */
function toChoices(found: readonly Found[]): readonly string[] | null {
  const counts = new Map<string, number>();
  let copies = 0;
  for (const { value, copied } of found) {
    const text = textOr(value, '');
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (text.length > MAX_LABEL || counts.size > MAX_CHOICES) return null;
    if (copied.includes(text)) copies += 1;
  }
  if (copies > found.length * COPIED_SHARE) return null;
  return [...counts.values()].every((count) => count >= SEEN_EACH) ? [...counts.keys()].toSorted() : null;
}

/** A schema that fits all these values; only types that occur. `isWhole`: there are no other values. */
function toValueSchema(found: readonly Found[], isWhole: boolean): JsonObject {
  const types = new Set(found.map(({ value }) => toTypeName(value)));
  if (types.has('number')) types.delete('integer');
  const [type] = types;
  if (types.size !== 1) return type === undefined ? {} : { type: [...types] };
  if (type === 'string') {
    const choices = isWhole ? toChoices(found) : null;
    return choices ? { type, enum: choices } : { type };
  }
  if (type === 'array') {
    const items = found.flatMap(({ value, copied }) => arrayOr(value).map((item) => ({ value: item, copied })));
    return items.length === 0 ? { type } : { type, items: toValueSchema(items, isWhole) };
  }
  const names = type === 'object' ? toSameNames(found) : null;
  return names ? toObjectSchema(found, names, isWhole) : { type };
}

/** The labels in an answer that its question holds. */
function findCopied(answer: JsonObject, question: string): readonly string[] {
  const copied: string[] = [];
  const open: unknown[] = [answer];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      const isLabel = value !== '' && value.length <= MAX_LABEL;
      if (isLabel && question.includes(value.toLowerCase())) copied.push(value);
    } else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) open.push(item);
  }
  return copied;
}

/** What a row says about how its model is asked. Much smaller than the row, so thousands fit in memory. */
export interface RowForm {
  /** The last answer, if it is a JSON object. */
  readonly answer: JsonObject | null;
  /** The labels in it that the row's question holds. */
  readonly copied: readonly string[];
  /** Messages of a user. */
  readonly questions: number;
  /** An answer calls a tool. */
  readonly isCalling: boolean;
  /** An answer follows the result of a tool. */
  readonly isContinued: boolean;
}

const isCall = ({ role, tool_calls, content }: JsonObject): boolean =>
  role === 'assistant' && (arrayOr(tool_calls).length > 0 || textOr(content, '').includes('<tool_call>'));

export function toRowForm(row: JsonObject): RowForm {
  const messages = messagesOf(row);
  const answer = parseObject(textOr(messages.at(-1)?.['content'], ''));
  const questions = messages.filter(({ role }) => role === 'user');
  const asked = (): string => questions.map(({ content }) => textOr(content, '').toLowerCase()).join('\n');
  return {
    answer,
    copied: answer ? findCopied(answer, asked()) : [],
    questions: questions.length,
    isCalling: messages.some(isCall),
    isContinued: messages.some(
      (message, at) => message['role'] === 'assistant' && messages[at - 1]?.['role'] === 'tool',
    ),
  };
}

/**
 * The schema of the rows' last answers; null unless all are JSON objects with the same names. `isWhole`: these are all
 * training rows. Otherwise no text is a fixed set, because a value that was not read could not be answered.
 */
export function toAnswerFormat(forms: readonly RowForm[], isWhole: boolean): AnswerFormat | null {
  const found = forms.map(({ answer, copied }) => ({ value: answer, copied }));
  const names = toSameNames(found);
  if (!names) return null;
  const schema = toObjectSchema(found, names, isWhole);
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } };
}

/** `single`: no row has more than one message of a user. null: there are no rows. */
export function toTurnKind(forms: readonly RowForm[]): Examples['turns'] {
  return forms.length === 0 ? null : forms.every(({ questions }) => questions <= 1) ? 'single' : 'multi';
}

/** Whether an answer ever follows the result of a call; null: no row calls a tool. */
export function findContinuation(forms: readonly RowForm[]): boolean | null {
  return forms.some(({ isCalling }) => isCalling) ? forms.some(({ isContinued }) => isContinued) : null;
}
