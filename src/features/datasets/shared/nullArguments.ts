// Nulls that nobody wrote: a table gives all objects of a column the same fields (datasets: `Dataset.from_list`), so a call
// gets the arguments of other calls, and a schema the properties of other tools. A model would learn to write them.
import { isObject, ownField, parseJson, type JsonObject } from '#core/contract/readJson.ts';
import type { Tool, ToolCall } from '#core/contract/chatMessage.ts';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';

/** Keywords of JSON Schema whose values may be null. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'example']);

const containsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(containsNull));

/** A schema without keywords that are null, and without properties that have no schema. */
function cleanSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanSchema);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, each]) => each !== null || VALUES.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, VALUES.has(name) ? each : cleanSchema(each)]));
}

/** Whether a schema allows null. One that says nothing of types may. */
function allowsNull(schema: JsonObject): boolean {
  const { type, anyOf, oneOf, enum: values, nullable } = schema;
  if (nullable === true || (Array.isArray(values) && values.includes(null))) return true;
  const either = [anyOf, oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  if (either) return either.some((each) => isObject(each) && allowsNull(each));
  if (type === undefined) return !Array.isArray(values);
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

/** Arguments without nulls that their schema does not allow, also of names that it does not have. */
function cleanArguments(given: JsonObject, schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return given;
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const own = ownField(properties, name);
    if (value === null) return isObject(own) && allowsNull(own) ? [[name, value]] : [];
    return [[name, isObject(value) && isObject(own) ? cleanArguments(value, own) : value]];
  });
  return Object.fromEntries(entries);
}

const hasNull = (text: string): boolean => text.includes('null');

function cleanCall(call: ToolCall, tools: readonly Tool[]): ToolCall {
  const { name, arguments: text } = call.function;
  const parameters = tools.find((tool) => tool.function.name === name)?.function.parameters;
  if (!hasNull(text) || !isObject(parameters)) return call;
  const given = parseJson(text);
  if (!isObject(given)) return call;
  const cleaned = JSON.stringify(cleanArguments(given, parameters));
  return cleaned === JSON.stringify(given) ? call : { ...call, function: { name, arguments: cleaned } };
}

function cleanTool(tool: Tool): Tool {
  const { parameters } = tool.function;
  if (!isObject(parameters) || !containsNull(parameters)) return tool;
  const cleaned = cleanSchema(parameters) as JsonObject;
  return JSON.stringify(cleaned) === JSON.stringify(parameters)
    ? tool
    : { ...tool, function: { ...tool.function, parameters: cleaned } };
}

/** The row without such nulls; the same object if it has none. */
export function cleanNulls(row: ChatRow): ChatRow {
  const { tools } = row;
  if (!tools) return row;
  const cleanTools = tools.map(cleanTool);
  const clean = (messages: readonly RowMessage[]): readonly RowMessage[] =>
    messages.map((message) => {
      const calls = message.tool_calls?.map((call) => cleanCall(call, cleanTools));
      return calls?.some((call, at) => call !== message.tool_calls?.[at]) ? { ...message, tool_calls: calls } : message;
    });
  const parts = (['messages', 'chosen', 'rejected', 'completion'] as const).flatMap((name) => {
    const messages = row[name];
    if (!messages) return [];
    const cleaned = clean(messages);
    return cleaned.some((message, at) => message !== messages[at]) ? [[name, cleaned] as const] : [];
  });
  const isOther = cleanTools.some((tool, at) => tool !== tools[at]);
  return isOther || parts.length > 0
    ? { ...row, ...(isOther && { tools: cleanTools }), ...Object.fromEntries(parts) }
    : row;
}
