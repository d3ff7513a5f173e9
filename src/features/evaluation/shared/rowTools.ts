// Reads the tools in a row's column `tools`, in the forms of datasets: a JSON list in the form of the API, or of bare
// functions. Pure.
import type { Tool } from '#core/contract/chatMessage.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { failRead, isObject, parseJson, type Read } from '#core/contract/readJson.ts';
import type { PromptRow } from './promptRow.ts';
import { findVariables } from './template.ts';

const TOOLS = 'tools';
/** In files, rows without tools have an empty field. */
const BLANK = /^\s*(?:\[\s*\]|\{\s*\}|null)?\s*$/;
const TOOL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** True for a list of objects. Another text in this column is a plain value, such as "hammer". */
function isToolList(text: string): boolean {
  if (!text.trimStart().startsWith('[')) return false;
  const values = parseJson(text);
  return Array.isArray(values) && values.length > 0 && values.every(isObject);
}

/**
 * True if the row, a chat or one of variables, has its own tools. In a row of variables the column is text if it is not
 * a list of objects, or if one of the `templates` uses `{{tools}}`.
 */
export function bringsTools({ messages, variables }: PromptRow, templates: readonly string[] = []): boolean {
  const text = variables.get(TOOLS) ?? '';
  if (BLANK.test(text)) return false;
  return messages !== null || (isToolList(text) && !findVariables(templates).includes(TOOLS));
}

/** True if the column holds tools in all rows that fill it. */
export function isToolColumn(name: string, rows: readonly PromptRow[]): boolean {
  if (name !== TOOLS) return false;
  const filled = rows.filter(({ variables }) => !BLANK.test(variables.get(TOOLS) ?? ''));
  return filled.length > 0 && filled.every((row) => bringsTools(row));
}

/** An entry in the form of the API, or a bare function, as a tool of the API. */
function readTool(value: unknown, place: number): Read<Tool> {
  const definition = isObject(value) && isObject(value['function']) ? value['function'] : value;
  if (!isObject(definition)) return failRead(`entry ${place} is not an object`);
  const { name, description, parameters } = definition;
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    return failRead(`entry ${place} needs a name of 1 to 64 letters, digits, "_", "." or "-"`);
  if ((parameters ?? null) !== null && !isObject(parameters))
    return failRead(`the parameters of ${name} are not a JSON schema`);
  if ((description ?? null) !== null && typeof description !== 'string')
    return failRead(`the description of ${name} is not a text`);
  // Tables write null for fields that only other rows have.
  const fields = Object.fromEntries(Object.entries(definition).filter(([, field]) => field !== null));
  return { ok: true, value: { type: 'function', function: { ...fields, name } } };
}

function parseTools(text: string): Read<readonly Tool[]> {
  const values = parseJson(text);
  if (values === undefined) return failRead('they are not JSON');
  if (!Array.isArray(values)) return failRead('they are not a list');
  if (values.length > REQUEST_LIMITS.tools)
    return failRead(`there are ${values.length}, and a request takes ${REQUEST_LIMITS.tools} at most`);
  const tools: Tool[] = [];
  for (const [at, value] of values.entries()) {
    const read = readTool(value, at + 1);
    if (!read.ok) return read;
    const { name } = read.value.function;
    if (tools.some((tool) => tool.function.name === name)) return failRead(`the name ${name} occurs twice`);
    tools.push(read.value);
  }
  return { ok: true, value: tools };
}

/** The row's own tools, or null. A reason is a whole sentence. `templates`: see `bringsTools`. */
export function readRowTools(row: PromptRow, templates: readonly string[] = []): Read<readonly Tool[] | null> {
  if (!bringsTools(row, templates)) return { ok: true, value: null };
  const read = parseTools(row.variables.get(TOOLS) ?? '');
  return read.ok ? read : failRead(`The tools of row ${row.number} can't be used: ${read.reason}.`);
}
