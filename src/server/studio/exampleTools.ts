// The tools that go with example prompts: those that chat rows carry, and those that their answers call. Pure.
import { REQUEST_LIMITS } from '#shared/contract/limits.ts';
import { toolSchema, type Tool } from '#shared/contract/chatMessage.ts';
import { arrayOr, isObject, textOr, type JsonObject } from '#shared/contract/reading.ts';

/** How calls look in rows of models that were trained to write them as text. */
const CALL_TEXT = /<tool_call>([\s\S]*?)<\/tool_call>/g;

interface Call {
  readonly name: string;
  readonly values: JsonObject;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Arguments come as an object or as a text that holds one. */
function toCalls(called: unknown): Call[] {
  const { name, arguments: given } = isObject(called) ? called : {};
  const values = typeof given === 'string' ? parse(given) : given;
  return typeof name === 'string' && isObject(values) ? [{ name, values }] : [];
}

function readCalls(row: JsonObject): Call[] {
  const answers = arrayOr(row['messages'])
    .filter(isObject)
    .filter((message) => message['role'] === 'assistant');
  return answers.flatMap((answer) => {
    const listed = arrayOr(answer['tool_calls']).map((call) => (isObject(call) ? call['function'] : null));
    const written = Array.from(textOr(answer['content'], '').matchAll(CALL_TEXT), ([, text = '']) => parse(text));
    return listed.concat(written).flatMap(toCalls);
  });
}

/** JSON Schema's name of a value's type. */
function toType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A schema that all of `values` keep to: the types seen, without more than they tell. */
function toPropertySchema(values: readonly unknown[]): JsonObject {
  const types = [...new Set(values.map(toType))];
  const wide = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return { type: wide.length === 1 ? wide[0] : wide };
}

function toTool(name: string, calls: readonly Call[]): Tool | null {
  const names = [...new Set(calls.flatMap(({ values }) => Object.keys(values)))];
  const properties = Object.fromEntries(
    names.map((key) => [
      key,
      toPropertySchema(calls.filter(({ values }) => Object.hasOwn(values, key)).map(({ values }) => values[key])),
    ]),
  );
  const required = names.filter((key) => calls.every(({ values }) => Object.hasOwn(values, key)));
  const tool = toolSchema.safeParse({
    type: 'function',
    function: { name, parameters: { type: 'object', properties, required, additionalProperties: false } },
  });
  return tool.success ? tool.data : null;
}

/**
 * The tools of chat rows, by name and as many as a request may have: as a row's own `tools` define them, else with the
 * arguments that the rows' calls have. Rows without tools and calls give none.
 */
export function toExampleTools(rows: readonly JsonObject[]): readonly Tool[] {
  const defined = new Map<string, Tool>();
  for (const tool of rows.flatMap((row) => arrayOr(row['tools']))) {
    const read = toolSchema.safeParse(tool);
    if (read.success && !defined.has(read.data.function.name)) defined.set(read.data.function.name, read.data);
  }
  const calls = rows.flatMap(readCalls);
  const undefinedNames = [...new Set(calls.map(({ name }) => name))].filter((name) => !defined.has(name));
  const derived = undefinedNames.flatMap(
    (name) =>
      toTool(
        name,
        calls.filter((call) => call.name === name),
      ) ?? [],
  );
  return [...defined.values(), ...derived]
    .toSorted((a, b) => a.function.name.localeCompare(b.function.name))
    .slice(0, REQUEST_LIMITS.tools);
}
