// The tool calls of an answer beside the expected ones: which tools, and each argument by itself. Pure.
import { isObject } from '#core/contract/readJson.ts';
import { toValueText } from '#core/json/jsonValues.ts';
import { TOOL_PART, type CheckPart } from './checkPart.ts';
import { isJsonEqual } from './jsonEqual.ts';
import { parseArguments, type ToolCallValue, type WrittenCall } from './toolCalls.ts';

type Arguments = ReadonlyMap<string, unknown>;

/** Arguments that are no object have no names: the answer wrote no JSON. */
const toArguments = (value: unknown): Arguments => new Map(isObject(value) ? Object.entries(value) : []);

const isEqualAt = (name: string, own: Arguments, wanted: Arguments): boolean =>
  own.has(name) && wanted.has(name) && isJsonEqual(own.get(name), wanted.get(name));

function countEqual(call: ToolCallValue, wanted: ToolCallValue): number {
  const [own, expected] = [toArguments(call.arguments), toArguments(wanted.arguments)];
  return [...expected.keys()].filter((name) => isEqualAt(name, own, expected)).length;
}

/** Takes the call out of `calls` that is most like the expected one: the same tool, and most arguments equal. */
function takeCall(calls: ToolCallValue[], wanted: ToolCallValue): ToolCallValue | null {
  const fitting = calls
    .filter(({ name }) => name === wanted.name)
    .toSorted((a, b) => countEqual(b, wanted) - countEqual(a, wanted));
  const [call] = fitting;
  if (call) calls.splice(calls.indexOf(call), 1);
  return call ?? null;
}

function toArgumentParts(call: ToolCallValue | null, wanted: ToolCallValue): readonly CheckPart[] {
  const [own, expected] = [toArguments(call?.arguments), toArguments(wanted.arguments)];
  const toText = (values: Arguments, name: string): string | null =>
    values.has(name) ? toValueText(values.get(name)) : null;
  return [...new Set([...expected.keys(), ...own.keys()])].map((name) => ({
    name: `${wanted.name}.${name}`,
    state: isEqualAt(name, own, expected) ? 'pass' : 'fail',
    expected: toText(expected, name),
    actual: toText(own, name),
  }));
}

/**
 * For each expected call a part `tool` and a part an argument; for each further call of the answer a part `tool` that fails. Where
 * an expected tool is not called, its arguments fail, and a further call stands in its place.
 */
export function toCallParts(calls: readonly WrittenCall[], expected: readonly ToolCallValue[]): readonly CheckPart[] {
  const remaining = [...parseArguments(calls)];
  const pairs = expected.map((wanted) => ({ wanted, call: takeCall(remaining, wanted) }));
  const parts = pairs.flatMap(({ wanted, call }) => {
    const actual = call?.name ?? remaining.shift()?.name ?? null;
    const tool: CheckPart = { name: TOOL_PART, state: call ? 'pass' : 'fail', expected: wanted.name, actual };
    return [tool].concat(toArgumentParts(call, wanted));
  });
  return parts.concat(remaining.map(({ name }) => ({ name: TOOL_PART, state: 'fail', expected: null, actual: name })));
}
