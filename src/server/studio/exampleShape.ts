// What chat rows say about how their model is asked: the JSON schema of its answers, whether rows have one question or
// several, and whether the model goes on after a tool result. Pure.
import { arrayOr, isObject, textOr, type JsonObject } from '#shared/contract/reading.ts';
import type { AnswerFormat, Examples } from '#shared/contract/routes.ts';

/** A text with more different values than this is no fixed set. */
const MAX_CHOICES = 12;
/** Each value of a fixed set is seen about this often. Fewer: the set may be a coincidence. */
const SEEN_EACH = 5;

const messagesOf = (row: JsonObject): readonly JsonObject[] => arrayOr(row['messages']).filter(isObject);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The objects if all values are objects with the same names; else null. */
function toSameShape(values: readonly unknown[]): readonly JsonObject[] | null {
  const objects = values.filter(isObject);
  const [first] = objects;
  if (!first || objects.length < values.length) return null;
  const names = Object.keys(first);
  const isSame = (other: JsonObject): boolean =>
    Object.keys(other).length === names.length && names.every((name) => Object.hasOwn(other, name));
  return objects.every(isSame) ? objects : null;
}

function toObjectSchema(objects: readonly JsonObject[], isWhole: boolean): JsonObject {
  const names = Object.keys(objects[0] ?? {});
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        toValueSchema(
          objects.map((object) => object[name]),
          isWhole,
        ),
      ]),
    ),
    required: names,
    additionalProperties: false,
  };
}

function toTypeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A schema that fits all these values; only types that occur. `isWhole`: there are no other values. */
function toValueSchema(values: readonly unknown[], isWhole: boolean): JsonObject {
  const names = new Set(values.map(toTypeName));
  if (names.has('number')) names.delete('integer');
  const types = [...names];
  if (types.length !== 1) return types.length === 0 ? {} : { type: types };
  if (types[0] === 'string') {
    const choices = [...new Set(values)];
    const isFixedSet = isWhole && choices.length <= MAX_CHOICES && values.length >= choices.length * SEEN_EACH;
    return isFixedSet ? { type: 'string', enum: choices.toSorted() } : { type: 'string' };
  }
  if (types[0] === 'array') {
    const items = values.flatMap((value) => arrayOr(value));
    return items.length === 0 ? { type: 'array' } : { type: 'array', items: toValueSchema(items, isWhole) };
  }
  const objects = types[0] === 'object' ? toSameShape(values) : null;
  return objects ? toObjectSchema(objects, isWhole) : { type: types[0] };
}

/** What a row says about how its model is asked. Much smaller than the row, so thousands fit in memory. */
export interface RowForm {
  /** The last answer, if it is a JSON object. */
  readonly answer: JsonObject | null;
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
  const answer = parse(textOr(messages.at(-1)?.['content'], ''));
  return {
    answer: isObject(answer) ? answer : null,
    questions: messages.filter(({ role }) => role === 'user').length,
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
  const objects = toSameShape(forms.map(({ answer }) => answer));
  if (!objects) return null;
  const schema = toObjectSchema(objects, isWhole);
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
