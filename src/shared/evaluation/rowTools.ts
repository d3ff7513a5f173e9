// The tools that a row brings in its column `tools`, as datasets have them: a list in the form of the API, or of bare
// functions, as JSON. Pure.
import type { Tool } from '#shared/contract/chatMessage.ts';
import { REQUEST_LIMITS } from '#shared/contract/limits.ts';
import { failRead, isObject, type Read } from '#shared/contract/reading.ts';
import type { PromptRow } from './promptRow.ts';

const TOOLS = 'tools';
/** Files have the column for all rows, also for those without a tool. */
const BLANK = /^\s*(?:\[\s*\]|\{\s*\}|null)?\s*$/;
const TOOL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** A chat with tools of its own. A column of plain rows that is called so is a variable like any other. */
export const bringsTools = ({ messages, variables }: PromptRow): boolean =>
  messages !== null && !BLANK.test(variables.get(TOOLS) ?? '');

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

/** The row's own tools; null: it brings none. A reason is a whole sentence. */
export function readRowTools(row: PromptRow): Read<readonly Tool[] | null> {
  if (!bringsTools(row)) return { ok: true, value: null };
  const read = parseTools(row.variables.get(TOOLS) ?? '');
  return read.ok ? read : failRead(`The tools of row ${row.number} can't be used: ${read.reason}.`);
}
