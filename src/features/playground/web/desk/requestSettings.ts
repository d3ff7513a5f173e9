// Turns a pane's settings into the fields of a request, or says why they can't be sent. Pure.
// It leaves all other validation to the service.
import type { ChatParameters } from '#ui/client/chatParameters.ts';
import type { ResponseFormat, Tool, ToolChoice } from '#core/contract/chatMessage.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { failRead, isObject, type Read } from '#core/contract/readJson.ts';
import { parseJsonText } from '#core/contract/jsonText.ts';
import { TOOL_PREFIX, type SchemaSetting, type Settings } from './settings.ts';

const TOOL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const NO_TOOLS: readonly Tool[] = [];

function parseTool(value: unknown, place: number): Read<Tool> {
  const what = `Tools: entry ${place}`;
  if (!isObject(value) || value['type'] !== 'function' || !isObject(value['function']))
    return failRead(`${what} must be {"type":"function","function":{"name":…}}.`);
  const { name, parameters, description } = value['function'];
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    return failRead(`${what} needs a function name of 1 to 64 letters, digits, "_", "." or "-".`);
  if (parameters !== undefined && !isObject(parameters))
    return failRead(`Tools: the parameters of ${name} must be an object, a JSON schema.`);
  if (description !== undefined && typeof description !== 'string')
    return failRead(`Tools: the description of ${name} must be a text.`);
  // Unknown fields are sent as typed.
  return { ok: true, value: { ...value, type: 'function', function: { ...value['function'], name } } };
}

/** Parses the typed list of tools; blank text means no tools. */
export function parseTools(text: string | undefined): Read<readonly Tool[]> {
  if (text === undefined || text.trim() === '') return { ok: true, value: NO_TOOLS };
  const json = parseJsonText(text);
  if (!json.ok) return failRead(`Tools: not valid JSON at line ${json.line}.`);
  if (!Array.isArray(json.value)) return failRead('Tools: must be a list, [ … ].');
  if (json.value.length > REQUEST_LIMITS.tools) return failRead(`Tools: there can be ${REQUEST_LIMITS.tools} at most.`);
  const tools: Tool[] = [];
  for (const [index, value] of json.value.entries()) {
    const tool = parseTool(value, index + 1);
    if (!tool.ok) return tool;
    const { name } = tool.value.function;
    if (tools.some((other) => other.function.name === name)) return failRead(`Tools: the name ${name} occurs twice.`);
    tools.push(tool.value);
  }
  return { ok: true, value: tools };
}

/** Parses the typed JSON schema. */
export function parseSchema({ name, text, strict }: SchemaSetting): Read<ResponseFormat> {
  if (text.trim() === '')
    return failRead('Schema: write the JSON schema that answers must match, or choose another response format.');
  const json = parseJsonText(text);
  if (!json.ok) return failRead(`Schema: not valid JSON at line ${json.line}.`);
  if (!isObject(json.value)) return failRead('Schema: must be an object, { … }.');
  // ASSUMED: OpenAI's API requires a name; SPEC leaves the object's structure open.
  return {
    ok: true,
    value: { type: 'json_schema', json_schema: { name: name.trim() || 'answer', schema: { ...json.value }, strict } },
  };
}

function toFormat({ response_format, schema }: Settings): Read<ResponseFormat | undefined> {
  if (response_format === 'json_schema') return parseSchema(schema ?? { name: '', text: '', strict: true });
  return { ok: true, value: response_format === undefined ? undefined : { type: response_format } };
}

function toChoice(choice: string | undefined, tools: readonly Tool[]): Read<ToolChoice | undefined> {
  if (choice === undefined || tools.length === 0) return { ok: true, value: undefined };
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { ok: true, value: choice };
  const name = choice.startsWith(TOOL_PREFIX) ? choice.slice(TOOL_PREFIX.length) : choice;
  if (!tools.some((tool) => tool.function.name === name))
    return failRead(`Tool choice: ${name} is not among the tools.`);
  return { ok: true, value: { type: 'function', function: { name } } };
}

function readParameters(
  {
    systemPrompt: _prompt,
    tools: text,
    tool_choice: choice,
    response_format: _format,
    schema: _schema,
    ...plain
  }: Settings,
  settings: Settings,
): Read<ChatParameters> {
  const tools = parseTools(text);
  if (!tools.ok) return tools;
  const tool_choice = toChoice(choice, tools.value);
  if (!tool_choice.ok) return tool_choice;
  const format = toFormat(settings);
  if (!format.ok) return format;
  return {
    ok: true,
    value: { ...plain, tools: tools.value, tool_choice: tool_choice.value, response_format: format.value },
  };
}

const cache = new WeakMap<Settings, Read<ChatParameters>>();

/** The request's fields. Settings never change in place, so each record is read once. */
export function toParameters(settings: Settings): Read<ChatParameters> {
  const cached = cache.get(settings);
  if (cached) return cached;
  const parameters = readParameters(settings, settings);
  cache.set(settings, parameters);
  return parameters;
}
