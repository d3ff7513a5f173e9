// Calls of tools: what a row expects and what an answer holds, as JSON with names and parsed arguments, and whether they
// are the same. Pure; it must not know where either comes from.
import { failRead, isObject, type Read } from '../contract/reading';
import { parseAnswerJson } from './answerJson';
import { isJsonEqual } from './jsonEqual';

/** As a model wrote it. */
export interface WrittenCall {
  readonly name: string;
  /** JSON, as far as the model kept to it. */
  readonly arguments: string;
}

export interface ToolCallValue {
  readonly name: string;
  readonly arguments: unknown;
}

function readArguments(value: unknown): Read<unknown> {
  if (value === undefined || value === null || value === '') return { ok: true, value: {} };
  if (typeof value !== 'string') return { ok: true, value };
  const read = parseAnswerJson(value);
  return read.ok ? read : failRead(`its arguments are no JSON: ${read.message}`);
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

/** The calls that a text stands for: a list of them, a single one, a message with `tool_calls`, or calls in tags. */
export function parseToolCalls(text: string): Read<readonly ToolCallValue[]> {
  const values: unknown[] = [];
  const tagged = [...text.matchAll(TAGGED)].map(([, inner = '']) => inner);
  for (const source of tagged.length > 0 ? tagged : [text]) {
    const read = parseAnswerJson(source);
    if (!read.ok) return failRead(`it is no JSON: ${read.message}`);
    const { value } = read;
    const inner = isObject(value) && Array.isArray(value['tool_calls']) ? (value['tool_calls'] as readonly unknown[]) : value;
    values.push(...(Array.isArray(inner) ? (inner as readonly unknown[]) : [inner]));
  }
  return readToolCalls(values);
}

/** Calls as JSON; arguments that are none stay the text that they are. */
export function toCallsJson(calls: readonly (ToolCallValue | WrittenCall)[]): string {
  return JSON.stringify(
    calls.map(({ name, arguments: given }) => {
      const read = readArguments(given);
      return { name, arguments: read.ok ? read.value : given };
    }),
  );
}

const MAX_SHOWN = 200;
const toShown = (value: unknown): string => JSON.stringify(value).slice(0, MAX_SHOWN);
const toNames = (calls: readonly { readonly name: string }[]): string => calls.map(({ name }) => name).join(', ');

/** How the calls of an answer differ from those expected, in one sentence; null: not at all. Their order counts. */
export function findCallDifference(calls: readonly WrittenCall[], expected: readonly ToolCallValue[]): string | null {
  if (calls.length === 0) return `The answer calls no tool; expected: ${toNames(expected)}.`;
  if (calls.length !== expected.length || calls.some(({ name }, at) => name !== expected[at]?.name)) return `The answer calls ${toNames(calls)}; expected: ${toNames(expected)}.`;
  for (const [at, call] of calls.entries()) {
    const read = readArguments(call.arguments);
    if (!read.ok) return `${call.name}: ${read.reason}`;
    const wanted = expected[at]?.arguments;
    if (!isJsonEqual(read.value, wanted)) return `${call.name} with ${toShown(read.value)}; expected: ${toShown(wanted)}`;
  }
  return null;
}
