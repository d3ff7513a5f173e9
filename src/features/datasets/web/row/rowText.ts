// Rows as texts for the page.
import type { ChatRow } from '#core/rows/chatRow.ts';
import { arrayOr, isObject, parseJson, type JsonObject } from '#core/contract/readJson.ts';

/** Arguments of a call, with spaces; broken JSON as it is. */
export function toShownArguments(text: string): string {
  const value = parseJson(text);
  if (value === undefined) return text;
  return isObject(value) && Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 1).replaceAll('\n', '');
}

/** The row that a service sent, as a chat; it stored it in this form. */
export function toChat(row: JsonObject): ChatRow {
  const messages = arrayOr(row['messages']).filter(isObject) as unknown as ChatRow['messages'];
  const tools = arrayOr(row['tools']).filter(isObject) as unknown as NonNullable<ChatRow['tools']>;
  const listOf = (name: 'chosen' | 'rejected' | 'completion') =>
    Array.isArray(row[name]) ? { [name]: row[name].filter(isObject) as unknown as ChatRow['messages'] } : {};
  const { label } = row;
  return {
    messages,
    ...(tools.length > 0 && { tools }),
    ...listOf('chosen'),
    ...listOf('rejected'),
    ...listOf('completion'),
    ...(typeof label === 'boolean' && { label }),
  };
}

/** Entries with their places as keys: messages and calls have no ids, may be equal, and never change places. */
export const toKeyed = <T>(list: readonly T[]): readonly { readonly key: number; readonly value: T }[] =>
  list.map((value, key) => ({ key, value }));
