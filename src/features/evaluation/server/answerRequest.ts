// The request of one answer: version, row, model and repeat give it, always the same. Pure.
import { createHash } from 'node:crypto';
import { parseChatRequest, type ChatRequest } from '#core/contract/chatRequest.ts';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { failRead, type Read } from '#core/contract/readJson.ts';
import type { PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import { fillTemplate, findMissing } from '#features/evaluation/shared/template.ts';
import type { VersionContent } from './versions.ts';

const isSystem = (message: ChatMessage | undefined): boolean =>
  message?.role === 'system' || message?.role === 'developer';

/** What is asked of a row. A reason says why it can't be. */
export function toRowMessages({ system, prompt }: VersionContent, row: PlacedEvaluationRow): Read<ChatMessage[]> {
  const own = row.messages ?? null;
  const templates = [
    ...(system === null || isSystem(own?.[0]) ? [] : [system]),
    ...(own === null ? [prompt ?? ''] : []),
  ];
  const values = new Map(Object.entries(row.variables ?? {}));
  const missing = findMissing(templates, values);
  if (missing.length > 0) {
    const names = missing.map((name) => `{{${name}}}`).join(', ');
    return failRead(`The row has no value for ${names}. Give it one, or take the variable out of the prompt.`);
  }
  const filled = templates.map((text) => fillTemplate(text, values));
  const question: ChatMessage[] = own === null ? [{ role: 'user', content: filled.at(-1) ?? '' }] : [...own];
  if (question.every(({ content, tool_calls }) => (content ?? '').trim() === '' && !tool_calls))
    return failRead('The prompt of the row is empty.');
  const hasSystem = templates.length > (own === null ? 1 : 0);
  return {
    ok: true,
    value: [...(hasSystem ? [{ role: 'system' as const, content: filled[0] ?? '' }] : []), ...question],
  };
}

/** `repeat`: from 1; it is the seed where there is chance. A reason says why the row can't be asked. */
export function toAnswerRequest(
  content: VersionContent,
  row: PlacedEvaluationRow,
  model: string,
  repeat: number,
): Read<ChatRequest> {
  const messages = toRowMessages(content, row);
  if (!messages.ok) return messages;
  const { settings } = content;
  const temperature = settings.temperature === undefined ? 0 : settings.temperature;
  const tools = row.tools ?? settings.tools;
  const parsed = parseChatRequest({
    ...settings,
    model,
    messages: messages.value,
    temperature,
    ...(temperature === 0 ? {} : { seed: (settings.seed ?? 0) + repeat }),
    ...(tools && { tools }),
  });
  return parsed.ok ? parsed : failRead(parsed.problem.message);
}

/** SHA-256 of a request, in hex digits. */
export const toRequestHash = (request: ChatRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');
