// The tools for example prompts: those that chat rows define, and those that their answers call. Pure.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { toolSchema, type Tool } from '#core/contract/chatMessage.ts';
import { arrayOr, isObject, parseJson, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { toTypeName } from './exampleShape.ts';

/** A tool call in rows for models that are trained to write calls as text. */
const CALL_TEXT = /<tool_call>([\s\S]*?)<\/tool_call>/g;

interface Call {
  readonly name: string;
  readonly values: JsonObject;
}

/** Arguments are an object, or a text that contains one. */
function toCalls(call: unknown): Call[] {
  const { name, arguments: raw } = isObject(call) ? call : {};
  const values = typeof raw === 'string' ? parseJson(raw) : raw;
  return typeof name === 'string' && isObject(values) ? [{ name, values }] : [];
}

function readCalls(row: JsonObject): Call[] {
  const answers = arrayOr(row['messages'])
    .filter(isObject)
    .filter((message) => message['role'] === 'assistant');
  return answers.flatMap((answer) => {
    const listed = arrayOr(answer['tool_calls']).map((call) => (isObject(call) ? call['function'] : null));
    const written = Array.from(textOr(answer['content'], '').matchAll(CALL_TEXT), ([, text = '']) => parseJson(text));
    return listed.concat(written).flatMap(toCalls);
  });
}

/** A schema that all of `values` fit: only the types that occur. */
function toPropertySchema(values: readonly unknown[]): JsonObject {
  const types = [...new Set(values.map(toTypeName))];
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
 * The tools of chat rows, sorted by name and at most as many as a request may have. Definitions come from the rows'
 * `tools`, otherwise from the arguments of the rows' calls.
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
