// Chat rows as tokens: what an assistant said is learnt, all else is only read. The prompt is the one that the engine
// makes of the same messages.
import type { Tool } from '#core/contract/chatMessage.ts';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { findForbidden, isForbidden, isLearnt, type TextSpan } from '#core/rows/learnMarks.ts';
import { isComparison } from '#core/rows/preferenceRows.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import type { ChatTemplate } from '#engine/chatTemplate.ts';
import type { Tokenizer } from './tokenizer.ts';

export interface ReadRow {
  readonly tokens: Int32Array;
  /** 1 for each token that an assistant wrote and marks of the row don't forbid, its end mark included. */
  readonly isTarget: Uint8Array;
  /** The last message before the answer, and the answer's text, to be shown. */
  readonly prompt: string;
  readonly expected: string;
  /** Its place among all rows of the file, from 0. */
  readonly place: number;
}

export interface ReadUnits<Unit> {
  readonly rows: readonly Unit[];
  /** All rows of the file. */
  readonly count: number;
  /** Rows whose end did not fit. */
  readonly cut: number;
  /** Rows in which nothing can be learnt: no answer, none within the context, or a form that can't be read. */
  readonly leftOut: number;
  /** Why the first of them was left out. */
  readonly reason: string | null;
}

/** Where texts of messages were cut (see promptMarks.ts): a noncharacter, which no text has. */
const CUT = '\u{FDD0}';

/** A stretch of the conversation, which is tokenized by itself as it is when it is served. */
interface Stretch {
  readonly text: string;
  /** null: it is no answer, or one that may not be learnt. */
  readonly answer: {
    /** Its place among the messages. */
    readonly place: number;
    readonly forbidden: readonly TextSpan[];
  } | null;
}

function toStretches(
  messages: readonly RowMessage[],
  tools: readonly Tool[],
  template: ChatTemplate,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let done = '';
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const prompt = template.render(messages.slice(0, index), tools).join(CUT);
    const whole = template.renderAnswered(messages.slice(0, index + 1), tools).join(CUT);
    if (!whole.startsWith(prompt)) continue;
    if (!prompt.startsWith(done)) {
      // The template shortens earlier answers, so only the later ones are learnt.
      stretches.length = 0;
      done = '';
    }
    const text = whole.slice(prompt.length);
    const answer = isLearnt(message)
      ? { place: index, forbidden: findForbidden(text.replaceAll(CUT, ''), message) }
      : null;
    stretches.push({ text: prompt.slice(done.length), answer: null }, { text, answer });
    done = whole;
  }
  return stretches;
}

/** 1 for each token of an answer that is learnt. */
function toTargets(own: readonly number[], forbidden: readonly TextSpan[], tokenizer: Tokenizer): readonly number[] {
  const end = own.indexOf(tokenizer.end);
  const learnt = end < 0 ? own.length : end + 1;
  if (forbidden.length === 0) return own.map((_, at) => (at < learnt ? 1 : 0));
  let from = 0;
  return own.map((_, at) => {
    // A character of several tokens counts with the last of them.
    const to = tokenizer.decode(own.slice(0, at + 1)).replace(/\u{FFFD}+$/u, '').length;
    const isTarget = at < learnt && !isForbidden(forbidden, from, to);
    from = to;
    return isTarget ? 1 : 0;
  });
}

/** What a row of tokens is made with. `most`: tokens that the model can read of one. */
export interface RowReader {
  readonly template: ChatTemplate;
  readonly tokenizer: Tokenizer;
  readonly most: number;
}

export interface EncodedRow extends Omit<ReadRow, 'place'> {
  readonly isCut: boolean;
}

/** A chat as tokens, cut to what the model can read; a text: why nothing of it can be learnt. Throws what a template throws. */
export function encodeRow(
  { messages, tools = [] }: Pick<ChatRow, 'messages' | 'tools'>,
  { template, tokenizer, most }: RowReader,
): EncodedRow | string {
  const answers = messages.filter(({ role }) => role === 'assistant');
  if (answers.length > 0 && !answers.some(isLearnt)) return 'marks such as "weight": 0 forbid to learn its answers';
  const stretches = toStretches(messages, tools, template);
  const learnt = stretches.findLast(({ answer }) => answer !== null);
  if (!learnt?.answer) return 'it has no message of an assistant';
  const tokens: number[] = [];
  const isTarget: number[] = [];
  for (const [index, { text, answer }] of stretches.entries()) {
    const own = tokenizer.encode(text.split(CUT), index > 0);
    tokens.push(...own);
    isTarget.push(...(answer === null ? own.map(() => 0) : toTargets(own, answer.forbidden, tokenizer)));
  }
  // One more than fits: the last token of a row is only learnt, never read.
  const isCut = tokens.length > most + 1;
  const row = {
    tokens: Int32Array.from(tokens.slice(0, most + 1)),
    isTarget: Uint8Array.from(isTarget.slice(0, most + 1)),
    prompt: messages[learnt.answer.place - 1]?.content ?? '',
    expected: learnt.text.split(tokenizer.endText)[0]?.replaceAll(CUT, '') ?? '',
    isCut,
  };
  if (row.isTarget.subarray(1).includes(1)) return row;
  return isCut ? `its answer begins after ${most} tokens, the most of a row` : 'its answer is empty';
}

/** The lines of JSONL text, each as `toUnit` gives it with its place; those of which it gives a reason are left out. */
export function readUnits<Unit extends { readonly isCut: boolean }>(
  text: string,
  toUnit: (row: ChatRow, place: number) => Unit | string,
): ReadUnits<Unit> {
  const rows: Unit[] = [];
  let leftOut = 0;
  let reason: string | null = null;
  const read = (line: string, place: number): Unit | string => {
    const found = toChatRow({ number: 1, text: line }, 'chat');
    return found.ok ? toUnit(found.row, place) : `it is no chat row: ${found.problem.message}`;
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    let row: Unit | string;
    try {
      row = read(line, rows.length + leftOut);
    } catch (error) {
      row = error instanceof Error ? error.message : String(error);
    }
    if (typeof row === 'string') {
      leftOut += 1;
      reason ??= `line ${index + 1}: ${row}`;
    } else rows.push(row);
  }
  return { rows, count: rows.length + leftOut, cut: rows.filter(({ isCut }) => isCut).length, leftOut, reason };
}

const IS_COMPARISON = 'it is for DPO or KTO; train it so, or import the file again with the preferred answers alone';

/** Reads JSONL text. Rows are cut to what the model can read; those without anything to learn are left out. */
export const readRows = (text: string, reader: RowReader): ReadUnits<ReadRow & EncodedRow> =>
  readUnits(text, (row, place) => {
    const encoded = isComparison(row) ? IS_COMPARISON : encodeRow(row, reader);
    return typeof encoded === 'string' ? encoded : { ...encoded, place };
  });
