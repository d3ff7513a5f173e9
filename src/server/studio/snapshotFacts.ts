// Facts about a snapshot's rows that matter for hyperparameters: their number, their length, the shape of the answers.
// Pure.
import type { AnswerShape } from '#shared/contract/answerShapes.ts';
import { arrayOr, isObject, textOr } from '#shared/contract/reading.ts';

export interface RowFacts {
  readonly training_count: number;
  readonly validation_count: number;
  /** UTF-8 bytes of all messages of the training rows; tokens are estimated from them. */
  readonly training_bytes: number;
  readonly answer_shape: AnswerShape;
  /** Different answers among the training rows; counting stops at DISTINCT_CAP. */
  readonly distinct_answers: number;
}

export interface RowTally {
  readonly training: number;
  readonly validation: number;
  readonly bytes: number;
  readonly toolCalls: number;
  readonly jsonAnswers: number;
  readonly answers: ReadonlySet<string>;
}

export const EMPTY_TALLY: RowTally = {
  training: 0,
  validation: 0,
  bytes: 0,
  toolCalls: 0,
  jsonAnswers: 0,
  answers: new Set(),
};

const DISTINCT_CAP = 1000;
/** Answers are a fixed set when at most this many differ, and each occurs in at least five rows on average. */
const FIXED_SET_MAX = 100;
const ROWS_PER_ANSWER = 5;
/** A snapshot has a shape when nearly all its answers have it: some rows are always odd. */
const SHARE = 0.95;
/** A tool call in rows for models that are trained to write calls as text. */
const TOOL_CALL_TEXT = /^\s*<tool_call>/;

interface ParsedRow {
  readonly bytes: number;
  readonly answer: string;
  readonly hasToolCall: boolean;
}

/** Reads one JSONL line; null when it is not a chat row. */
export function parseRow(line: string): ParsedRow | null {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return null;
  }
  const messages = arrayOr(isObject(row) ? row['messages'] : null).filter(isObject);
  if (messages.length === 0) return null;
  const last = messages.findLast((message) => message['role'] === 'assistant');
  const calls = arrayOr(last?.['tool_calls']);
  const callText = calls.length > 0 ? JSON.stringify(calls) : '';
  const answer = textOr(last?.['content'], '') + callText;
  const texts = messages.map((message) => textOr(message['content'], ''));
  return {
    bytes: Buffer.byteLength(texts.join('')) + Buffer.byteLength(callText),
    answer,
    hasToolCall: calls.length > 0 || TOOL_CALL_TEXT.test(answer),
  };
}

function isJsonObject(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function addAnswers(known: ReadonlySet<string>, answers: readonly string[]): ReadonlySet<string> {
  const all = new Set(known);
  for (const answer of answers) {
    if (all.size >= DISTINCT_CAP) break;
    all.add(answer);
  }
  return all;
}

/** Adds one page of rows. Lines that aren't chat rows count as rows, because a trainer would get them too. */
export function reduceTally(
  tally: RowTally,
  page: readonly { readonly bucket: 'training' | 'validation'; readonly body: string }[],
): RowTally {
  const training = page.filter((row) => row.bucket === 'training');
  const parsed = training.map((row) => parseRow(row.body)).filter((row) => row !== null);
  return {
    training: tally.training + training.length,
    validation: tally.validation + page.length - training.length,
    bytes: tally.bytes + parsed.reduce((sum, row) => sum + row.bytes, 0),
    toolCalls: tally.toolCalls + parsed.filter((row) => row.hasToolCall).length,
    jsonAnswers: tally.jsonAnswers + parsed.filter((row) => isJsonObject(row.answer)).length,
    answers: addAnswers(
      tally.answers,
      parsed.map((row) => row.answer),
    ),
  };
}

function toAnswerShape({ training, toolCalls, jsonAnswers, answers }: RowTally): AnswerShape {
  if (toolCalls >= training * SHARE) return 'tool-calls';
  if (answers.size <= FIXED_SET_MAX && answers.size * ROWS_PER_ANSWER <= training) return 'fixed-set';
  return jsonAnswers >= training * SHARE ? 'json' : 'text';
}

export function toRowFacts(tally: RowTally): RowFacts {
  return {
    training_count: tally.training,
    validation_count: tally.validation,
    training_bytes: tally.bytes,
    answer_shape: toAnswerShape(tally),
    distinct_answers: tally.answers.size,
  };
}
