// Calls of tools: what a row expects and what an answer holds, as JSON with names and parsed arguments, and whether
// they are the same. Pure.
import { REQUEST_LIMITS } from '#shared/contract/limits.ts';
import { failRead, isObject, type Read } from '#shared/contract/reading.ts';
import { parseAnswerJson } from './answerJson.ts';
import { isJsonEqual } from './jsonEqual.ts';
import { isDeeperThan, toTooDeepText } from './valueDepth.ts';

/** As a model wrote it. */
export interface WrittenCall {
  readonly name: string;
  /** JSON, as far as the model kept to it. */
  readonly arguments: string;
}

interface ToolCallValue {
  readonly name: string;
  /** Parsed: a text here is a value, not JSON. */
  readonly arguments: unknown;
}

/** What a request may hold is enough for a call. */
const MAX_DEPTH = REQUEST_LIMITS.jsonDepth;

const toArguments = (value: unknown): Read<unknown> =>
  isDeeperThan(value, MAX_DEPTH)
    ? failRead(`its arguments are ${toTooDeepText(MAX_DEPTH)}`)
    : { ok: true, value: value ?? {} };

/** A text is JSON, as in the API, and no more than that: what stands in a code fence no client can parse. */
function readArguments(given: unknown): Read<unknown> {
  if (given === '') return { ok: true, value: {} };
  if (typeof given !== 'string') return toArguments(given);
  try {
    return toArguments(JSON.parse(given));
  } catch (error) {
    return failRead(`its arguments are no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One call in the form of the API, with or without what stands around name and arguments. */
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

/** As chat templates write calls into a text. */
const TAGGED = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/**
 * The calls that a written text stands for, also in a code fence: a list of them, a single one, a message with
 * `tool_calls`, or calls in tags.
 */
export function parseToolCalls(text: string): Read<readonly ToolCallValue[]> {
  const values: unknown[] = [];
  const tagged = [...text.matchAll(TAGGED)].map(([, inner = '']) => inner);
  for (const source of tagged.length > 0 ? tagged : [text]) {
    const read = parseAnswerJson(source);
    if (!read.ok) return failRead(`it is no JSON: ${read.message}`);
    const { value } = read;
    const inner =
      isObject(value) && Array.isArray(value['tool_calls']) ? (value['tool_calls'] as readonly unknown[]) : value;
    values.push(...(Array.isArray(inner) ? (inner as readonly unknown[]) : [inner]));
  }
  return readToolCalls(values);
}

/**
 * Calls as rows write those they expect. A value that is a text is written as JSON, as the API has it: it would be
 * parsed once more.
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
 * Calls of an answer, with what their arguments say; those that are no JSON, or nest too deeply, stay the text that
 * they are.
 */
function toSaid(calls: readonly WrittenCall[]): readonly ToolCallValue[] {
  return calls.map(({ name, arguments: given }) => {
    const read = readArguments(given);
    return { name, arguments: read.ok && typeof read.value !== 'string' ? read.value : given };
  });
}

/** Calls of an answer as JSON, written as rows write theirs. */
export const toCallsJson = (calls: readonly WrittenCall[]): string => JSON.stringify(toSaid(calls));

const toSorted = (_key: string, part: unknown): unknown =>
  isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;

/**
 * The same text for the same calls, in whatever order they and their arguments stand: calls of one answer run side by
 * side.
 */
export const toCallsKey = (calls: readonly WrittenCall[]): string =>
  `[${toSaid(calls)
    .map((call) => JSON.stringify(call, toSorted))
    .sort()
    .join(',')}]`;

/** The same text for answers that say the same: white space around the text and in arguments is none of it. */
export const toSaidKey = (text: string, calls: readonly WrittenCall[]): string =>
  (calls.length === 0 ? text : `${text.trim()}\n${toCallsKey(calls)}`).trim();

/** What a list of calls begins with: other texts need not be parsed. */
const OPENS_CALLS = /^\s*\[\s*\{\s*"(?:name|arguments)"/;
const isListed = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 2 && 'name' in value && 'arguments' in value;

/**
 * The calls of a text that is written as toExpectedJson does it; null: it is something else, such as a list of people
 * with names.
 */
export function parseListedCalls(text: string): readonly ToolCallValue[] | null {
  if (!OPENS_CALLS.test(text)) return null;
  try {
    const values: unknown = JSON.parse(text);
    const read = Array.isArray(values) && values.every(isListed) ? readToolCalls(values) : null;
    return read?.ok ? read.value : null;
  } catch {
    return null;
  }
}

const MAX_SHOWN = 200;
const toShown = (value: unknown): string => JSON.stringify(value).slice(0, MAX_SHOWN);
const toNames = (calls: readonly { readonly name: string }[]): string => calls.map(({ name }) => name).join(', ');

const sortedNames = (calls: readonly { readonly name: string }[]): string =>
  JSON.stringify(calls.map(({ name }) => name).sort());

/**
 * How the calls of an answer differ from those expected, in one sentence; null: not at all. Their order does not count,
 * their number does.
 */
export function findCallDifference(calls: readonly WrittenCall[], expected: readonly ToolCallValue[]): string | null {
  if (calls.length === 0) return `The answer calls no tool; expected: ${toNames(expected)}.`;
  if (sortedNames(calls) !== sortedNames(expected))
    return `The answer calls ${toNames(calls)}; expected: ${toNames(expected)}.`;
  const left = [...expected];
  const others: ToolCallValue[] = [];
  for (const { name, arguments: given } of calls) {
    const read = readArguments(given);
    if (!read.ok) return `${name}: ${read.reason}`;
    const at = left.findIndex((wanted) => wanted.name === name && isJsonEqual(read.value, wanted.arguments));
    if (at >= 0) left.splice(at, 1);
    else others.push({ name, arguments: read.value });
  }
  const [other] = others;
  const wanted = left.find(({ name }) => name === other?.name);
  return other && wanted
    ? `${other.name} with ${toShown(other.arguments)}; expected: ${toShown(wanted.arguments)}`
    : null;
}
