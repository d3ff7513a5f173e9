// The tokens of a row as the model sees it: how many are trained, and which a context cuts.
import { isForbidden } from '#core/rows/learnMarks.ts';
import type { ModelView } from './whatModelSees.ts';

/** A stretch of the row's text. */
interface TokenSpan {
  readonly from: number;
  readonly to: number;
  readonly isTrained: boolean;
  /** Beyond the context: no trainer reads it. */
  readonly isCut: boolean;
  readonly message: number | null;
}

export interface TokenView {
  readonly tokens: number;
  readonly trained: number;
  readonly cut: number;
  readonly trainedCut: number;
  /** The whole text, in neighbouring stretches. */
  readonly spans: readonly TokenSpan[];
  /** Where each token ends in the text. */
  readonly ends: readonly number[];
}

/**
 * `toLengths`: the tokens of a piece as characters (UTF-16 units) each adds to the text; 0 where several tokens make one
 * character. `context`: tokens that the model reads; null: not known, so nothing is cut.
 */
export function toTokenView(
  { parts }: ModelView,
  toLengths: (piece: string) => readonly number[],
  context: number | null,
): TokenView {
  const counts = { tokens: 0, trained: 0, cut: 0, trainedCut: 0 };
  const spans: TokenSpan[] = [];
  const ends: number[] = [];
  let at = 0;
  const extend = (length: number, isTrained: boolean, isCut: boolean, message: number | null): void => {
    const last = spans.at(-1);
    const isSame = last?.isTrained === isTrained && last.isCut === isCut && last.message === message;
    if (last && isSame) spans[spans.length - 1] = { ...last, to: at + length };
    else if (length > 0) spans.push({ from: at, to: at + length, isTrained, isCut, message });
    at += length;
  };
  for (const { pieces, isTrained: isAnswer, forbidden = [], message: answer } of parts) {
    const start = at;
    for (const piece of pieces) {
      const end = at + piece.length;
      let [isTrained, message] = [isAnswer, answer];
      for (const length of toLengths(piece)) {
        const to = Math.min(at + length, end);
        isTrained = isAnswer && !isForbidden(forbidden, at - start, to - start);
        message = isTrained ? answer : null;
        counts.tokens += 1;
        const isCut = context !== null && counts.tokens > context;
        if (isTrained) counts.trained += 1;
        if (isCut) counts.cut += 1;
        if (isCut && isTrained) counts.trainedCut += 1;
        extend(to - at, isTrained, isCut, message);
        ends.push(at);
      }
      // What a tokenizer doesn't give back, such as a space that it adds itself.
      if (at < end) extend(end - at, isTrained, context !== null && counts.tokens > context, message);
    }
  }
  return { ...counts, spans, ends };
}
