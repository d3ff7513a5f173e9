// What a request holds of a pane's conversation (SPEC 4.3). Pure.
import type { ChatMessage } from '../contract/chatMessage';
import type { Turn } from './desk';

/**
 * The messages before the turn `untilId`, the system prompt first (SPEC 2.3). An answer that broke off counts with
 * the text it has. One that failed without a word is left out together with the message that it failed on: a message
 * that is too long, say, would else make every later request fail as well. Reasoning is not sent back.
 */
export function toMessages(systemPrompt: string, turns: readonly Turn[], untilId: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (systemPrompt.trim() !== '') messages.push({ role: 'system', content: systemPrompt });
  for (const turn of turns) {
    if (turn.id === untilId) break;
    if (turn.role === 'user') messages.push({ role: 'user', content: turn.content });
    else if (turn.message.text !== '') messages.push({ role: 'assistant', content: turn.message.text });
    else if (turn.phase === 'failed' && messages.at(-1)?.role === 'user') messages.pop();
  }
  return messages;
}
