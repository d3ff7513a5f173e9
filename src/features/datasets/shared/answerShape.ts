// The shape of a dataset's answers: it decides by which measure runs are compared, and which hyperparameters fit.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { arrayOr, isObject, parseJson, textOr } from '#core/contract/readJson.ts';

/** The last answer of a row. */
export interface RowAnswer {
  /** With its tool calls as JSON. */
  readonly text: string;
  /** The calls as JSON; empty if there are none. */
  readonly callText: string;
  readonly hasToolCall: boolean;
}

/** Counting of different answers stops here. */
const DISTINCT_CAP = 1000;
/** Answers are a fixed set when at most this many differ, and each occurs in at least five rows on average. */
const FIXED_SET_MAX = 100;
const ROWS_PER_ANSWER = 5;
/** A dataset has a shape when nearly all its answers have it: some rows are always odd. */
const SHARE = 0.95;
/** A tool call in rows for models that are trained to write calls as text. */
const TOOL_CALL_TEXT = /^\s*<tool_call>/;

interface AnyMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

/** The answer of a chat. The messages may come from a file: nothing of their fields is taken for granted. */
export function toAnswer(messages: readonly AnyMessage[]): RowAnswer {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const calls = arrayOr(last?.tool_calls);
  const callText = calls.length > 0 ? JSON.stringify(calls) : '';
  const text = textOr(last?.content, '') + callText;
  return { text, callText, hasToolCall: calls.length > 0 || TOOL_CALL_TEXT.test(text) };
}

const isJsonObject = (text: string): boolean => text.trimStart().startsWith('{') && isObject(parseJson(text));

/** Counts of answers, as plain JSON. */
export interface AnswerCounts {
  readonly toolCalls: number;
  readonly jsonAnswers: number;
  /** Different answers, at most DISTINCT_CAP, each by any text that tells it from the others. */
  readonly distinct: readonly string[];
}

export const NO_ANSWERS: AnswerCounts = { toolCalls: 0, jsonAnswers: 0, distinct: [] };

export interface AnswerCounter {
  add(answer: RowAnswer): void;
  addAll(counts: AnswerCounts): void;
  toCounts(): AnswerCounts;
}

export function openAnswers(): AnswerCounter {
  let toolCalls = 0;
  let jsonAnswers = 0;
  const distinct = new Set<string>();
  const addName = (name: string): void => {
    if (distinct.size < DISTINCT_CAP) distinct.add(name);
  };
  return {
    add({ text, hasToolCall }) {
      if (hasToolCall) toolCalls += 1;
      if (isJsonObject(text)) jsonAnswers += 1;
      addName(text);
    },
    addAll(counts) {
      toolCalls += counts.toolCalls;
      jsonAnswers += counts.jsonAnswers;
      counts.distinct.forEach(addName);
    },
    toCounts: () => ({ toolCalls, jsonAnswers, distinct: [...distinct] }),
  };
}

/** Whether so many different answers of so many rows are labels: few, and each often enough. */
export const isFixedSet = (distinct: number, rows: number): boolean =>
  distinct <= FIXED_SET_MAX && distinct * ROWS_PER_ANSWER <= rows;

/** `rows`: all rows that count, also those that have no answer. */
export function toAnswerShape({ toolCalls, jsonAnswers, distinct }: AnswerCounts, rows: number): AnswerShape {
  if (toolCalls >= rows * SHARE) return 'tool-calls';
  if (isFixedSet(distinct.length, rows)) return 'fixed-set';
  return jsonAnswers >= rows * SHARE ? 'json' : 'text';
}
