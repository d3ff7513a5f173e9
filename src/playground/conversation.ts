// What a request holds of a pane's conversation (SPEC 4.3). Pure.
import type { ChatMessage } from '../contract/chatMessage';
import type { Turn } from './desk';

/**
 * The messages before the turn `untilId`, the system prompt first (SPEC 2.3). An answer that broke off counts with
 * the text it has; one without text is left out. Reasoning is not sent back.
 */
export function toMessages(systemPrompt: string, turns: readonly Turn[], untilId: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (systemPrompt.trim() !== '') messages.push({ role: 'system', content: systemPrompt });
  for (const turn of turns) {
    if (turn.id === untilId) break;
    if (turn.role === 'user') messages.push({ role: 'user', content: turn.content });
    else if (turn.message.text !== '') messages.push({ role: 'assistant', content: turn.message.text });
  }
  return messages;
}
