// Facts about a snapshot's rows that matter for hyperparameters: their number, their length, the shape of the answers.
// Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import type { Objective } from '#core/contract/trainingSettings.ts';
import { arrayOr, isObject, parseJson, textOr } from '#core/contract/readJson.ts';
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
  /** What they are for: pairs of answers, answers with a label, or answers alone. */
  readonly objective: Extract<Objective, 'sft' | 'dpo' | 'kto'>;
  /** Different answers among the training rows; counting stops at 1,000. */
  readonly distinct_answers: number;
}

export interface RowTally {
  readonly training: number;
  readonly validation: number;
  readonly bytes: number;
  readonly answers: AnswerCounts;
  /** Training rows that are pairs of answers, and answers with a label. */
  readonly pairs: number;
  readonly labels: number;
}

export const EMPTY_TALLY: RowTally = {
  training: 0,
  validation: 0,
  bytes: 0,
  answers: NO_ANSWERS,
  pairs: 0,
  labels: 0,
};

interface ParsedRow {
  readonly bytes: number;
  readonly answer: RowAnswer;
  readonly kind: 'chat' | 'pair' | 'label';
}

/** Reads one JSONL line; null when it is not a chat row. */
export function parseRow(line: string): ParsedRow | null {
  const row = parseJson(line);
  const { messages: prompt, chosen, completion } = isObject(row) ? row : {};
  const read = arrayOr(prompt).filter(isObject);
  if (read.length === 0) return null;
  const messages = [...read, ...arrayOr(chosen ?? completion).filter(isObject)];
  const answer = toAnswer(messages);
  const texts = messages.map((message) => textOr(message['content'], ''));
  const kind = chosen !== undefined ? 'pair' : completion !== undefined ? 'label' : 'chat';
  return { bytes: Buffer.byteLength(texts.join('')) + Buffer.byteLength(answer.callText), answer, kind };
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
    pairs: tally.pairs + parsed.filter(({ kind }) => kind === 'pair').length,
    labels: tally.labels + parsed.filter(({ kind }) => kind === 'label').length,
  };
}

/** Single answers are learnt where there are any: rows for DPO or KTO are left out then. */
const toObjective = ({ training, pairs, labels }: RowTally): RowFacts['objective'] => {
  if (training === 0 || pairs + labels < training) return 'sft';
  return pairs >= labels ? 'dpo' : 'kto';
};

export function toRowFacts(tally: RowTally): RowFacts {
  const { training, validation, bytes, answers } = tally;
  return {
    objective: toObjective(tally),
    training_count: training,
    validation_count: validation,
    training_bytes: bytes,
    answer_shape: toAnswerShape(answers, training),
    distinct_answers: answers.distinct.length,
  };
}
