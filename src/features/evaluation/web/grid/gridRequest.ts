// Builds the request of one cell from a column's settings and a row's prompt. Pure.
import type { ChatMessage, Tool } from '#core/contract/chatMessage.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { failRead, type Read } from '#core/contract/readJson.ts';
import type { PromptRow, RowMessage } from '#features/evaluation/shared/promptRow.ts';
import { readRowTools } from '#features/evaluation/shared/rowTools.ts';
import { fillTemplate, findMissing } from '#features/evaluation/shared/template.ts';
import type { GridColumn, Values } from './gridBook.ts';

export type CellRequest =
  | { readonly ok: true; readonly request: ChatRequest }
  | { readonly ok: false; readonly message: string };

const textOf = (message: ChatMessage): string => message.content ?? '';

function toMessage({ role, content, tool_calls, tool_call_id }: RowMessage): ChatMessage {
  return {
    role,
    content: content === '' && tool_calls ? null : content,
    ...(tool_calls && { tool_calls: [...tool_calls] }),
    ...(tool_call_id !== undefined && { tool_call_id }),
  };
}

/** Values for variables: the row's own, then those of the session. */
export function toFilling({ variables }: PromptRow, values: Values | undefined): ReadonlyMap<string, string> {
  return values === undefined ? variables : new Map([...Object.entries(values), ...variables]);
}

/** The column's request with the row's tools, if it brings some. `row`: its number. */
function withTools(request: ChatRequest, tools: readonly Tool[] | null, row: number): Read<ChatRequest> {
  if (tools === null) return { ok: true, value: request };
  const choice = request.tool_choice;
  const wanted = typeof choice === 'object' ? choice.function.name : null;
  if (wanted !== null && !tools.some((tool) => tool.function.name === wanted)) {
    return failRead(
      `The column's tool choice is ${wanted}, but row ${row} has no tool ${wanted}. Set another tool choice in ` +
        'the pane.',
    );
  }
  return { ok: true, value: { ...request, tools: [...tools] } };
}

/**
 * A row's own system message and tools replace the column's. Variables are filled in the column's system prompt and in
 * `prompt`. A row's messages are data, so nothing is filled in them.
 */
export function toCellRequest(column: GridColumn, row: PromptRow, prompt: string): CellRequest {
  const system = column.request.messages.filter((message) => message.role === 'system' || message.role === 'developer');
  const isOwnSystem = row.messages?.[0]?.role === 'system';
  const templates = isOwnSystem ? [] : system;
  const texts = [...templates.map(textOf), ...(row.messages === null ? [prompt] : [])];
  const filling = toFilling(row, column.values);
  const missing = findMissing(texts, filling);
  if (missing.length > 0) {
    const names = missing.map((name) => `{{${name}}}`).join(', ');
    return {
      ok: false,
      message:
        `Row ${row.number} has no value for ${names}. Add the column, give it a value in the chat, or take the ` +
        'variable out of the prompt.',
    };
  }
  const tools = readRowTools(row, texts);
  const request = tools.ok ? withTools(column.request, tools.value, row.number) : tools;
  if (!request.ok) return { ok: false, message: request.reason };
  const filled = templates.map((message): ChatMessage => ({
    role: message.role,
    content: fillTemplate(textOf(message), filling),
  }));
  const question: readonly ChatMessage[] = row.messages?.map(toMessage) ?? [
    { role: 'user', content: fillTemplate(prompt, filling) },
  ];
  if (question.every((message) => textOf(message).trim() === ''))
    return { ok: false, message: `The prompt of row ${row.number} is empty.` };
  return { ok: true, request: { ...request.value, messages: [...filled, ...question] } };
}
