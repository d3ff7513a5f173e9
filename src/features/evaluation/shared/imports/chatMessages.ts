// Chats in other tools' files: OpenAI's form, whose content is a text or a list of parts.
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { arrayOr, isObject, parseJson, toTextOrNull } from '#core/contract/readJson.ts';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** The text of a message; null: it has other parts, such as pictures. Thoughts are left out. */
export function toMessageText(content: unknown): string | null {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const parts = content.filter((part: unknown) => !(isObject(part) && part['type'] === 'reasoning'));
  const texts = parts.map((part: unknown) =>
    isObject(part) && ['text', 'input_text', 'output_text'].includes(String(part['type'])) ? part['text'] : part,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null;
}

/** Calls as OpenAI writes them, or as Inspect does: `{id, function, arguments: {…}}`. */
function toCalls(value: unknown): NonNullable<ChatMessage['tool_calls']> {
  return arrayOr(value).flatMap((call) => {
    if (!isObject(call)) return [];
    const form = isObject(call['function'])
      ? call['function']
      : { name: call['function'], arguments: call['arguments'] };
    const name = toTextOrNull(form['name']);
    const given = form['arguments'] ?? {};
    if (name === null) return [];
    const written = typeof given === 'string' ? given : JSON.stringify(given);
    return [
      { id: toTextOrNull(call['id']) ?? name, type: 'function' as const, function: { name, arguments: written } },
    ];
  });
}

/** A message; null if it is none of a chat of texts. */
export function readChatMessage(value: unknown): ChatMessage | null {
  if (!isObject(value) || !ROLES.has(value['role'])) return null;
  const content = toMessageText(value['content']);
  if (content === null) return null;
  const calls = toCalls(value['tool_calls']);
  const id = toTextOrNull(value['tool_call_id']);
  return {
    role: value['role'] as ChatMessage['role'],
    content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(id === null ? {} : { tool_call_id: id }),
  };
}

/** A chat, given as a list or as its JSON text; null if it is none. */
export function readChatMessages(value: unknown): readonly ChatMessage[] | null {
  let list = value;
  if (typeof value === 'string') {
    if (!value.trimStart().startsWith('[')) return null;
    list = parseJson(value);
  }
  if (!Array.isArray(list) || list.length === 0) return null;
  const messages = list.map(readChatMessage);
  return messages.every((message) => message !== null) ? messages : null;
}
