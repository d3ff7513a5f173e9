// The answers to one question, of which a person keeps one. Pure.
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { readAnswer } from '#features/datasets/shared/findings/answerForm.ts';

export interface AskedRow {
  readonly position: number;
  readonly chat: ChatRow;
}

export interface AnswerChoice {
  readonly answer: RowMessage;
  /** The rows that answer so, apart from white space and the order of keys. */
  readonly positions: readonly number[];
}

export interface AnswerChoices {
  /** What all of the rows ask. */
  readonly question: ChatRow;
  /** In the order of their first rows. */
  readonly choices: readonly AnswerChoice[];
  /** What more than half of the rows answer; null: there is no such answer. */
  readonly majority: AnswerChoice | null;
}

const lastAnswer = ({ messages }: ChatRow): number => messages.findLastIndex(({ role }) => role === 'assistant');

/** null: none of the rows has an answer. */
export function toAnswerChoices(rows: readonly AskedRow[]): AnswerChoices | null {
  const byKey = new Map<number, { answer: RowMessage; positions: number[] }>();
  for (const { position, chat } of rows) {
    const answer = chat.messages[lastAnswer(chat)];
    if (!answer) continue;
    const { key } = readAnswer(answer);
    const same = byKey.get(key);
    if (same) same.positions.push(position);
    else byKey.set(key, { answer, positions: [position] });
  }
  const first = rows.find(({ chat }) => lastAnswer(chat) >= 0)?.chat;
  if (!first) return null;
  const choices = [...byKey.values()];
  const total = choices.reduce((sum, { positions }) => sum + positions.length, 0);
  return {
    question: { messages: first.messages.slice(0, lastAnswer(first)) },
    choices,
    majority: choices.find(({ positions }) => positions.length >= 2 && positions.length * 2 > total) ?? null,
  };
}

/** The rows with another answer than the one that is kept. */
export const toOthers = ({ choices }: AnswerChoices, kept: AnswerChoice): readonly number[] =>
  choices.flatMap((choice) => (choice === kept ? [] : choice.positions));
