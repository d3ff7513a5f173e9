// Matches search words against one text whose label is its first line, or against the texts of nested nodes. Pure.

export interface SearchWord {
  readonly text: string;
  /** Engines search for up to six characters several times faster than for more, and most texts lack these already. */
  readonly head: string;
  /**
   * Words of one or two characters, as in "dataset 7". Outside a label they match only whole words, because nearly
   * every id contains a 7.
   */
  readonly isShort: boolean;
}

/** Further words are ignored, so that the found ones fit in the bits of a number. */
export const MOST_WORDS = 31;
const HEAD = 6;
const SHORT = 2;
/** Characters within a word. */
export const INNER = /[\p{L}\p{N}]/u;

export function toSearchWords(words: readonly string[]): readonly SearchWord[] {
  return words.slice(0, MOST_WORDS).map((text) => ({ text, head: text.slice(0, HEAD), isShort: text.length <= SHORT }));
}

/** The number with one bit set per word. */
export const toAllBits = (count: number): number => 2 ** count - 1;

/** Whether a letter or digit is there. Usually it only reads the character code, which matters for ids. */
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

/** `text` is lower case, with its label on the first line. */
export function hasWord(text: string, { text: word, head, isShort }: SearchWord): boolean {
  if (!isShort) return text.includes(head) && (head.length === word.length || text.includes(word));
  const at = text.indexOf(word);
  if (at < 0) return false;
  const label = text.indexOf('\n');
  return label < 0 || at + word.length <= label || isWholeWord(text, word, at);
}

/** One bit for each word in the text. */
export function toOwnBits(text: string, words: readonly SearchWord[]): number {
  let bits = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word && hasWord(text, word)) bits |= 1 << at;
  }
  return bits;
}

/** Whether every text that contains all words of `next` also contains `word`. */
export function isImplied(word: string, next: readonly string[]): boolean {
  return next.some((longer) => longer === word || (word.length > SHORT && longer.includes(word)));
}
