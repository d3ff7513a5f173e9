// The request of one cell: a column's settings with a row's prompt. Pure; it must not know how it is sent.
import type { ChatMessage } from '../contract/chatMessage';
import type { ChatRequest } from '../contract/chatRequest';
import type { PromptRow, RowMessage } from '../evaluation/promptRow';
import { fillTemplate, findMissing } from '../evaluation/template';
import type { GridColumn } from './gridBook';

export type CellRequest = { readonly ok: true; readonly request: ChatRequest } | { readonly ok: false; readonly message: string };

const textOf = (message: ChatMessage): string => message.content ?? '';

function toMessage({ role, content, tool_calls, tool_call_id }: RowMessage): ChatMessage {
  return { role, content: content === '' && tool_calls ? null : content, ...(tool_calls && { tool_calls: [...tool_calls] }), ...(tool_call_id !== undefined && { tool_call_id }) };
}

/**
 * A row's own system message wins over the column's. Variables are filled in the column's system prompt and in `prompt`;
 * a row's messages are taken as they are: they are data.
 */
export function toCellRequest(column: GridColumn, row: PromptRow, prompt: string): CellRequest {
  const system = column.request.messages.filter((message) => message.role === 'system' || message.role === 'developer');
  const isOwnSystem = row.messages?.[0]?.role === 'system';
  const templates = isOwnSystem ? [] : system;
  const texts = [...templates.map(textOf), ...(row.messages === null ? [prompt] : [])];
  const missing = findMissing(texts, row.variables);
  if (missing.length > 0) {
    return { ok: false, message: `Row ${row.number} has no value for ${missing.map((name) => `{{${name}}}`).join(', ')}. Add the column, or take the variable out of the prompt.` };
  }
  const filled = templates.map((message): ChatMessage => ({ role: message.role, content: fillTemplate(textOf(message), row.variables) }));
  const question: readonly ChatMessage[] = row.messages?.map(toMessage) ?? [{ role: 'user', content: fillTemplate(prompt, row.variables) }];
  if (question.every((message) => textOf(message).trim() === '')) return { ok: false, message: `The prompt of row ${row.number} is empty.` };
  return { ok: true, request: { ...column.request, messages: [...filled, ...question] } };
}
