// Search words against one text whose label is its first line, or against texts that stand above each other. Pure.

export interface SearchWord {
  readonly text: string;
  /** Engines look for up to six characters several times faster than for more: most texts lack these already. */
  readonly head: string;
  /**
   * One or two characters, as in "dataset 7": outside a label (nearly every id has a 7) they count as a whole word
   * alone.
   */
  readonly isShort: boolean;
}

/** More words are not looked at: those found fit in the bits of a number. */
export const MOST_WORDS = 31;
const HEAD = 6;
const SHORT = 2;
/** What stands within a word. */
export const INNER = /[\p{L}\p{N}]/u;

export function toSearchWords(words: readonly string[]): readonly SearchWord[] {
  return words.slice(0, MOST_WORDS).map((text) => ({ text, head: text.slice(0, HEAD), isShort: text.length <= SHORT }));
}

/** The number whose bits are all set for so many words. */
export const toAllBits = (count: number): number => 2 ** count - 1;

/**
 * Whether a letter or digit stands there: hardly ever more than a look at its code, which an id asks for many times.
 */
function isInner(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return INNER.test(text.charAt(at));
}

function isWholeWord(text: string, word: string, from: number): boolean {
  for (let at = from; at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isInner(text, at - 1) && !isInner(text, at + word.length)) return true;
  }
  return false;
}

/** `text` is lower case, its label on the first line. */
export function hasWord(text: string, { text: word, head, isShort }: SearchWord): boolean {
  if (!isShort) return text.includes(head) && (head.length === word.length || text.includes(word));
  const at = text.indexOf(word);
  if (at < 0) return false;
  const label = text.indexOf('\n');
  return label < 0 || at + word.length <= label || isWholeWord(text, word, at);
}

/** A bit for each word that is in the text. */
export function toOwnBits(text: string, words: readonly SearchWord[]): number {
  let bits = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word && hasWord(text, word)) bits |= 1 << at;
  }
  return bits;
}

/** Whether what has every word of `next` has `word` too. */
export function isImplied(word: string, next: readonly string[]): boolean {
  return next.some((longer) => longer === word || (word.length > SHORT && longer.includes(word)));
}
