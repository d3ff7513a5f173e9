// One training example out of a conversation: the messages up to an answer, in the chat format of fine-tuning files
// (one JSON object a line). Pure. It must not know where examples are kept.
import type { ChatMessage } from '../contract/chatMessage';
import { arrayOr, failRead, isObject, textOr, type Read } from '../contract/reading';
import { findTurnProblem, toMessages } from './conversation';
import { isBusy, paneSettings, shownAnswer, type Desk, type Pane } from './desk';
import { toTitle } from './sessionTitle';
import { fillText } from './variables';

export interface TrainingRow {
  readonly id: string;
  /** Unix milliseconds. */
  readonly addedAt: number;
  /** The line of the file. */
  readonly line: string;
}

/** The line, or why the answer is no example. */
export function toTrainingLine(desk: Desk, pane: Pane, turnId: string): Read<string> {
  const index = pane.turns.findIndex((turn) => turn.id === turnId);
  const turn = pane.turns[index];
  if (turn?.role !== 'assistant') return failRead('Only an answer ends an example.');
  const answer = shownAnswer(turn);
  if (isBusy(answer.phase)) return failRead('The answer is still on its way.');
  const before = pane.turns.slice(0, index);
  const problem = findTurnProblem(before);
  if (problem !== null) return failRead(problem);
  const system = fillText(desk, paneSettings(desk, pane).systemPrompt ?? '');
  const messages = toMessages(system, [...before, turn]);
  if (messages.at(-1)?.role !== 'assistant') return failRead('The answer says nothing.');
  if (!messages.some((message) => message.role === 'user')) return failRead('No message of a user stands before the answer.');
  return { ok: true, value: toLine(messages) };
}

const toLine = (messages: readonly ChatMessage[]): string => JSON.stringify({ messages }).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

export function toTrainingFile(rows: readonly TrainingRow[]): string {
  return rows.map(({ line }) => `${line}\n`).join('');
}

/** A stored example; null if it is damaged. */
export function parseTrainingRow(value: unknown): TrainingRow | null {
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['line'] !== 'string') return null;
  return { id: value['id'], addedAt: typeof value['addedAt'] === 'number' ? value['addedAt'] : 0, line: value['line'] };
}

export interface RowOutline {
  readonly count: number;
  readonly asked: string;
  readonly answered: string;
}

/** What a list shows of a line: the last question and the answer. */
export function toRowOutline(line: string): RowOutline {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(line);
  } catch {
    // Damaged lines are shown as they are.
    return { count: 0, asked: '', answered: toTitle(line) };
  }
  const messages = arrayOr(isObject(parsed) ? parsed['messages'] : null).filter(isObject);
  const last = messages.at(-1);
  const calls = arrayOr(last?.['tool_calls']).filter(isObject).map((call) => (isObject(call['function']) ? textOr(call['function']['name'], '') : ''));
  const asked = messages.findLast((message) => message['role'] === 'user');
  return { count: messages.length, asked: toTitle(textOr(asked?.['content'], '')), answered: toTitle(textOr(last?.['content'], '')) || calls.map((name) => `calls ${name}`).join(', ') };
}
