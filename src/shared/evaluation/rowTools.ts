// The tools that a row brings in its column `tools`, as datasets have them: a list in the form of the API, or of bare
// functions, as JSON. Pure.
import type { Tool } from '#shared/contract/chatMessage.ts';
import { REQUEST_LIMITS } from '#shared/contract/limits.ts';
import { failRead, isObject, type Read } from '#shared/contract/reading.ts';
import type { PromptRow } from './promptRow.ts';
import { findVariables } from './template.ts';

const TOOLS = 'tools';
/** Files have the column for all rows, also for those without a tool. */
const BLANK = /^\s*(?:\[\s*\]|\{\s*\}|null)?\s*$/;
const TOOL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** A list of objects, as tools are written. Other texts under this name are values like any other: "hammer". */
function isToolList(text: string): boolean {
  if (!text.trimStart().startsWith('[')) return false;
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.length > 0 && values.every(isObject);
  } catch {
    return false;
  }
}

/**
 * A row with tools of its own, a chat or one of variables. In a row of variables the column may also be text: where it
 * is no list of objects, and where a template (`templates`) asks for `{{tools}}`.
 */
export function bringsTools({ messages, variables }: PromptRow, templates: readonly string[] = []): boolean {
  const text = variables.get(TOOLS) ?? '';
  if (BLANK.test(text)) return false;
  return messages !== null || (isToolList(text) && !findVariables(templates).includes(TOOLS));
}

/** The column `tools` of these rows is tools, not text: none of them has other text in it. */
export function isToolColumn(name: string, rows: readonly PromptRow[]): boolean {
  if (name !== TOOLS) return false;
  const given = rows.filter(({ variables }) => !BLANK.test(variables.get(TOOLS) ?? ''));
  return given.length > 0 && given.every((row) => bringsTools(row));
}

/** In the form of the API, whether the entry has it or is a bare function. */
function readTool(value: unknown, place: number): Read<Tool> {
  const given = isObject(value) && isObject(value['function']) ? value['function'] : value;
  if (!isObject(given)) return failRead(`entry ${place} is not an object`);
  const { name, description, parameters } = given;
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    return failRead(`entry ${place} needs a name of 1 to 64 letters, digits, "_", "." or "-"`);
  if ((parameters ?? null) !== null && !isObject(parameters))
    return failRead(`the parameters of ${name} are no JSON schema`);
  if ((description ?? null) !== null && typeof description !== 'string')
    return failRead(`the description of ${name} is no text`);
  // A table fills the fields that other rows have with null.
  const fields = Object.fromEntries(Object.entries(given).filter(([, field]) => field !== null));
  return { ok: true, value: { type: 'function', function: { ...fields, name } } };
}

function parseTools(text: string): Read<readonly Tool[]> {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    return failRead('they are no JSON');
  }
  if (!Array.isArray(values)) return failRead('they are no list');
  if (values.length > REQUEST_LIMITS.tools)
    return failRead(`there are ${values.length}, and a request takes ${REQUEST_LIMITS.tools} at most`);
  const tools: Tool[] = [];
  for (const [at, value] of values.entries()) {
    const read = readTool(value, at + 1);
    if (!read.ok) return read;
    const { name } = read.value.function;
    if (tools.some((tool) => tool.function.name === name)) return failRead(`the name ${name} is there twice`);
    tools.push(read.value);
  }
  return { ok: true, value: tools };
}

/** The row's own tools; null: it brings none. A reason is a whole sentence. `templates`: see `bringsTools`. */
export function readRowTools(row: PromptRow, templates: readonly string[] = []): Read<readonly Tool[] | null> {
  if (!bringsTools(row, templates)) return { ok: true, value: null };
  const read = parseTools(row.variables.get(TOOLS) ?? '');
  return read.ok ? read : failRead(`The tools of row ${row.number} can't be used: ${read.reason}.`);
}
