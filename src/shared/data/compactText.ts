// Tells without writing JSON whether a line already is the JSON of a row: writing it takes longer than reading it.
import type { ChatRow } from './chatRow.ts';

/** `{"role":"","content":""}` */
const MESSAGE_MARKS = 24;
/** `{"messages":[]}` */
const ROW_MARKS = 15;

/** Characters that JSON writes as two, without the rare ones. */
const ESCAPED = ['"', '\\', '\n'] as const;

/** The length of a text in JSON without its quotes, or less if it has other control characters. */
function toLeastLength(text: string): number {
  let length = text.length;
  for (const mark of ESCAPED) for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) length += 1;
  return length;
}

/**
 * True if `line`, from which `row` was parsed, is its JSON letter by letter; false if not, or if it can't be told
 * quickly. JSON has one shortest way to write a row with its fields in order, so a line of that length is that text. Lines
 * come from UTF-8 and hold no lone surrogates.
 */
export function isCompact(line: string, { messages, tools }: ChatRow): boolean {
  // A message with its names in the other order is as long. Inside texts the quotes are escaped, so this is a name.
  if (tools !== undefined || line.includes('{"content":"')) return false;
  const hasEscapes = line.includes('\\');
  let length = ROW_MARKS + messages.length - 1;
  for (const { role, content, name, tool_calls: calls, tool_call_id: id } of messages) {
    if (content === null || name !== undefined || calls !== undefined || id !== undefined) return false;
    length += MESSAGE_MARKS + role.length + (hasEscapes ? toLeastLength(content) : content.length);
  }
  return length === line.length;
}
