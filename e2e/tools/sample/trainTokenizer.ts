// Learns a byte-level vocabulary: the pair of tokens that stands side by side most often becomes a token, again and again.
import { toByteCharacters, toPieces, toPrintable } from '#trainer/text/pieces.ts';

export const PRE_TOKENIZER = 'gpt-2';
/** Ends of texts and turns, which no text of a person becomes. */
export const CONTROL_TOKENS = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'] as const;
/** Marks that are one token, and may be written by the model. */
export const USER_TOKENS = ['<tool_call>', '</tool_call>'] as const;

export interface Vocabulary {
  /** Bytes, learnt tokens, then the marks. */
  readonly tokens: readonly string[];
  /** Pairs in the order in which they were learnt, their halves separated by a space. */
  readonly merges: readonly string[];
}

const DIGIT = /\d/;
/** Steps through all pairs of digits: neighbours in value are far apart in rank. */
const DIGIT_STEP = 37;

/**
 * A vocabulary of at most `size` tokens. All pairs of digits are tokens: numbers are copied better if few tokens are in many
 * of them. Other tokens have no digits.
 */
export function trainTokenizer(texts: Iterable<string>, size: number): Vocabulary {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const piece of toPieces(text, PRE_TOKENIZER)) {
      const printable = toPrintable(piece);
      counts.set(printable, (counts.get(printable) ?? 0) + 1);
    }
  const words = [...counts].map(([word, count]) => ({ parts: [...word], count }));
  const tokens = new Set([...toByteCharacters()].toSorted((one, other) => one.charCodeAt(0) - other.charCodeAt(0)));
  const merges: string[] = [];
  const most = size - tokens.size - CONTROL_TOKENS.length - USER_TOKENS.length;
  const join = (left: string, right: string): void => {
    merges.push(`${left} ${right}`);
    tokens.add(left + right);
    for (const { parts } of words)
      for (let at = 0; at + 1 < parts.length; at += 1)
        if (parts[at] === left && parts[at + 1] === right) parts.splice(at, 2, left + right);
  };
  for (let index = 0; index < 100 && merges.length < most; index += 1) {
    const pair = (index * DIGIT_STEP) % 100;
    join(String(Math.floor(pair / 10)), String(pair % 10));
  }
  while (merges.length < most) {
    const pairs = new Map<string, number>();
    for (const { parts, count } of words)
      for (let at = 0; at + 1 < parts.length; at += 1) {
        const pair = `${parts[at] ?? ''} ${parts[at + 1] ?? ''}`;
        if (!DIGIT.test(pair)) pairs.set(pair, (pairs.get(pair) ?? 0) + count);
      }
    let best: string | null = null;
    let bestCount = 1;
    for (const [pair, count] of pairs)
      if (count > bestCount || (count === bestCount && best !== null && pair < best)) {
        best = pair;
        bestCount = count;
      }
    if (best === null) break;
    const [left = '', right = ''] = best.split(' ');
    join(left, right);
  }
  return { tokens: [...tokens, ...CONTROL_TOKENS, ...USER_TOKENS], merges };
}
