// Tells without writing JSON whether a line already is the JSON of a row: writing it takes longer than reading it.
import type { ChatRow } from './chatRow.ts';

const QUOTE = 34;
const BACKSLASH = 92;
/** `{"role":"","content":""}` */
const MESSAGE_MARKS = 24;
/** `{"messages":[]}` */
const ROW_MARKS = 15;

/** The length of a text in JSON, without its quotes; NaN if it has control characters that can be written two ways. */
function toJsonLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH) length += 1;
    else if (code < 32) {
      if (code < 8 || code === 11 || code > 13) return Number.NaN;
      length += 1;
    }
  }
  return length;
}

/**
 * True if `line`, from which `row` was parsed, is its JSON letter by letter; false if not, or if it can't be told
 * quickly. JSON has one shortest way to write a row with its fields in order, so equal lengths are equal texts. Lines
 * come from UTF-8 and hold no lone surrogates.
 */
export function isCompact(line: string, { messages, tools }: ChatRow): boolean {
  if (tools !== undefined) return false;
  const hasEscapes = line.includes('\\');
  let length = ROW_MARKS + messages.length - 1;
  for (const { role, content, name, tool_calls: calls, tool_call_id: id } of messages) {
    if (content === null || name !== undefined || calls !== undefined || id !== undefined) return false;
    length += MESSAGE_MARKS + role.length + (hasEscapes ? toJsonLength(content) : content.length);
  }
  return length === line.length;
}
