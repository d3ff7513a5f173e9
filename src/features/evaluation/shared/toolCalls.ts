// Tool calls of rows and answers as JSON with names and parsed arguments, and whether they are equal. Pure.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { failRead, isObject, parseJson, type Read } from '#core/contract/readJson.ts';
import { parseAnswerJson } from '#core/json/answerJson.ts';
import { toJsonKey } from '#core/json/jsonValues.ts';
import { isJsonEqual } from './jsonEqual.ts';
import { isDeeperThan, toTooDeepText } from '#core/json/valueDepth.ts';

/** A call as a model wrote it. */
export interface WrittenCall {
  readonly name: string;
  /** JSON text, if the model made no mistake. */
  readonly arguments: string;
}

export interface ToolCallValue {
  readonly name: string;
  /** Parsed. A text here is a value, not JSON. */
  readonly arguments: unknown;
}

/** A call may nest as deeply as a request. */
const MAX_DEPTH = REQUEST_LIMITS.jsonDepth;

const toArguments = (value: unknown): Read<unknown> =>
  isDeeperThan(value, MAX_DEPTH)
    ? failRead(`its arguments are ${toTooDeepText(MAX_DEPTH)}`)
    : { ok: true, value: value ?? {} };

/** A text must be JSON, as in the API. A code fence is not allowed: no client could parse it. */
function readArguments(given: unknown): Read<unknown> {
  if (given === '') return { ok: true, value: {} };
  if (typeof given !== 'string') return toArguments(given);
  try {
    return toArguments(JSON.parse(given));
  } catch (error) {
    return failRead(`its arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One call in the form of the API, or only its name and arguments. */
export function readToolCall(value: unknown): Read<ToolCallValue> {
  if (!isObject(value)) return failRead('it is not an object');
  const { name, arguments: given } = isObject(value['function']) ? value['function'] : value;
  if (typeof name !== 'string' || name === '') return failRead('it names no tool');
  const read = readArguments(given);
  return read.ok ? { ok: true, value: { name, arguments: read.value } } : read;
}

export function readToolCalls(values: readonly unknown[]): Read<readonly ToolCallValue[]> {
  const calls: ToolCallValue[] = [];
  for (const [at, value] of values.entries()) {
    const read = readToolCall(value);
    if (!read.ok) return failRead(`call ${at + 1} can't be used: ${read.reason}`);
    calls.push(read.value);
  }
  return calls.length === 0 ? failRead('there is no call') : { ok: true, value: calls };
}

/** The form in which chat templates write calls into a text. */
const TAGGED = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/**
 * The calls in a text, also in a code fence: a list of calls, a single one, a message with `tool_calls`, or calls in
 * tags.
 */
export function parseToolCalls(text: string): Read<readonly ToolCallValue[]> {
  const values: unknown[] = [];
  const tagged = [...text.matchAll(TAGGED)].map(([, inner = '']) => inner);
  for (const source of tagged.length > 0 ? tagged : [text]) {
    const read = parseAnswerJson(source);
    if (!read.ok) return failRead(`it is not JSON: ${read.message}`);
    const { value } = read;
    const inner =
      isObject(value) && Array.isArray(value['tool_calls']) ? (value['tool_calls'] as readonly unknown[]) : value;
    values.push(...(Array.isArray(inner) ? (inner as readonly unknown[]) : [inner]));
  }
  return readToolCalls(values);
}

/**
 * Calls as JSON in the form of expected answers. Arguments that are a text are written as JSON text, as in the API,
 * because a text is parsed when it is read.
 */
export function toExpectedJson(calls: readonly ToolCallValue[]): string {
  return JSON.stringify(
    calls.map(({ name, arguments: value }) => ({
      name,
      arguments: typeof value === 'string' ? JSON.stringify(value) : value,
    })),
  );
}

/**
 * The calls of an answer with parsed arguments. Arguments that are not JSON, or nest too deeply, stay text.
 */
export function parseArguments(calls: readonly WrittenCall[]): readonly ToolCallValue[] {
  return calls.map(({ name, arguments: given }) => {
    const read = readArguments(given);
    return { name, arguments: read.ok && typeof read.value !== 'string' ? read.value : given };
  });
}

/** The calls of an answer as JSON in the form of expected answers. */
export const toCallsJson = (calls: readonly WrittenCall[]): string => JSON.stringify(parseArguments(calls));

/**
 * A key that is equal for equal calls. The order of calls and of arguments doesn't matter: the calls of an answer run
 * in parallel.
 */
export const toCallsKey = (calls: readonly WrittenCall[]): string =>
  `[${calls
    .map(({ name, arguments: given }) =>
      JSON.stringify({ name, arguments: toJsonKey(given === '' ? '{}' : given) ?? given }),
    )
    .sort()
    .join(',')}]`;

/**
 * A key that is equal for equal answers. White space around the text and within arguments doesn't matter, and JSON answers are
 * equal if their values are.
 */
export const toContentKey = (text: string, calls: readonly WrittenCall[]): string =>
  [toJsonKey(text) ?? text.trim(), calls.length === 0 ? '' : toCallsKey(calls)].join('\n').trim();

/** The start of a list of calls. Other texts need not be parsed. */
const OPENS_CALLS = /^\s*\[\s*\{\s*"(?:name|arguments)"/;
const isListed = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 2 && 'name' in value && 'arguments' in value;

/**
 * The calls of a text in the form of toExpectedJson; null for other texts, such as a list of people with names.
 */
export function parseListedCalls(text: string): readonly ToolCallValue[] | null {
  if (!OPENS_CALLS.test(text)) return null;
  const values = parseJson(text);
  const read = Array.isArray(values) && values.every(isListed) ? readToolCalls(values) : null;
  return read?.ok ? read.value : null;
}

const MAX_SHOWN = 200;
const toShown = (value: unknown): string => JSON.stringify(value).slice(0, MAX_SHOWN);
const toNames = (calls: readonly { readonly name: string }[]): string => calls.map(({ name }) => name).join(', ');

const sortedNames = (calls: readonly { readonly name: string }[]): string =>
  JSON.stringify(calls.map(({ name }) => name).sort());

/**
 * How the calls of an answer differ from the expected ones, in one sentence; null if they are equal. Their order does
 * not count, their number does.
 */
export function findCallDifference(calls: readonly WrittenCall[], expected: readonly ToolCallValue[]): string | null {
  if (calls.length === 0) return `The answer calls no tool; expected: ${toNames(expected)}.`;
  if (sortedNames(calls) !== sortedNames(expected))
    return `The answer calls ${toNames(calls)}; expected: ${toNames(expected)}.`;
  const remaining = [...expected];
  const others: ToolCallValue[] = [];
  for (const { name, arguments: given } of calls) {
    const read = readArguments(given);
    if (!read.ok) return `${name}: ${read.reason}`;
    const at = remaining.findIndex((wanted) => wanted.name === name && isJsonEqual(read.value, wanted.arguments));
    if (at >= 0) remaining.splice(at, 1);
    else others.push({ name, arguments: read.value });
  }
  const [other] = others;
  const wanted = remaining.find(({ name }) => name === other?.name);
  return other && wanted
    ? `${other.name} with ${toShown(other.arguments)}; expected: ${toShown(wanted.arguments)}`
    : null;
}
