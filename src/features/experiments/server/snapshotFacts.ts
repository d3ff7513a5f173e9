// Facts about a snapshot's rows that matter for hyperparameters: their number, their length, the shape of the answers.
// Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { arrayOr, isObject, textOr } from '#core/contract/readJson.ts';
import {
  NO_ANSWERS,
  openAnswers,
  toAnswer,
  toAnswerShape,
  type AnswerCounts,
  type RowAnswer,
} from '#features/datasets/shared/answerShape.ts';

export interface RowFacts {
  readonly training_count: number;
  readonly validation_count: number;
  /** UTF-8 bytes of all messages of the training rows; tokens are estimated from them. */
  readonly training_bytes: number;
  readonly answer_shape: AnswerShape;
  /** Different answers among the training rows; counting stops at 1,000. */
  readonly distinct_answers: number;
}

export interface RowTally {
  readonly training: number;
  readonly validation: number;
  readonly bytes: number;
  readonly answers: AnswerCounts;
}

export const EMPTY_TALLY: RowTally = { training: 0, validation: 0, bytes: 0, answers: NO_ANSWERS };

interface ParsedRow {
  readonly bytes: number;
  readonly answer: RowAnswer;
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
  const answer = toAnswer(messages);
  const texts = messages.map((message) => textOr(message['content'], ''));
  return { bytes: Buffer.byteLength(texts.join('')) + Buffer.byteLength(answer.callText), answer };
}

/** Adds one page of rows. Lines that aren't chat rows count as rows, because a trainer would get them too. */
export function reduceTally(
  tally: RowTally,
  page: readonly { readonly bucket: 'training' | 'validation'; readonly body: string }[],
): RowTally {
  const training = page.filter((row) => row.bucket === 'training');
  const parsed = training.map((row) => parseRow(row.body)).filter((row) => row !== null);
  const answers = openAnswers();
  answers.addAll(tally.answers);
  for (const { answer } of parsed) answers.add(answer);
  return {
    training: tally.training + training.length,
    validation: tally.validation + page.length - training.length,
    bytes: tally.bytes + parsed.reduce((sum, row) => sum + row.bytes, 0),
    answers: answers.toCounts(),
  };
}

export function toRowFacts({ training, validation, bytes, answers }: RowTally): RowFacts {
  return {
    training_count: training,
    validation_count: validation,
    training_bytes: bytes,
    answer_shape: toAnswerShape(answers, training),
    distinct_answers: answers.distinct.length,
  };
}
