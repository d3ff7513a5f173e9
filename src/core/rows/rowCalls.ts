// The tool calls of a row: those of the API's form, and those that a text holds in tags.
import { isObject, parseJson } from '#core/contract/readJson.ts';
import type { ChatRow, RowMessage } from './chatRow.ts';
import { toAllMessages } from './preferenceRows.ts';

export interface RowCall {
  readonly name: string;
  /** JSON text as the row has it; it may be broken. */
  readonly arguments: string;
  /** The call is written in the text of the message, as models without a template for calls learn it. */
  readonly isText: boolean;
}

const TAGGED = /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g;

function toTextCall(source: string): RowCall {
  const value = parseJson(source);
  if (isObject(value) && typeof value['name'] === 'string')
    return { name: value['name'], arguments: JSON.stringify(value['arguments'] ?? {}), isText: true };
  // It stays text: the caller sees that these arguments are no JSON.
  return { name: '', arguments: source, isText: true };
}

/** The calls of a message, in order. A call in tags that can't be read has no name. */
export function findCalls({ role, content, tool_calls: calls = [] }: RowMessage): readonly RowCall[] {
  const structured = calls.map(({ function: called }) => ({ ...called, isText: false }));
  if (role !== 'assistant' || content === null || !content.includes('<tool_call>')) return structured;
  return [...structured, ...Array.from(content.matchAll(TAGGED), ([, source = '']) => toTextCall(source))];
}

/** Characters (UTF-16 units) of all texts and calls of a row, without its tools. */
export function countCharacters(row: ChatRow): number {
  let sum = 0;
  for (const { content, tool_calls: calls } of toAllMessages(row)) {
    sum += content?.length ?? 0;
    for (const call of calls ?? []) sum += call.function.name.length + call.function.arguments.length;
  }
  return sum;
}
