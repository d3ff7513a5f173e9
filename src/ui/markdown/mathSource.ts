// Finds the source of a formula in an answer, and tells apart what only looks like one. Pure.

export interface ParsedFormula {
  readonly tex: string;
  /** It has a line of its own. */
  readonly isDisplay: boolean;
}

const MARKS: readonly (readonly [string, string, boolean])[] = [
  ['$$', '$$', true],
  ['\\[', '\\]', true],
  ['\\(', '\\)', false],
  ['$', '$', false],
];

/** The text between the marks; null if there is none. */
export function parseFormula(source: string): ParsedFormula | null {
  for (const [open, close, isDisplay] of MARKS) {
    if (!source.startsWith(open) || !source.endsWith(close) || source.length < open.length + close.length) continue;
    const tex = source.slice(open.length, -close.length).trim();
    return tex === '' ? null : { tex, isDisplay };
  }
  return null;
}

/** Parts that are not words of a sentence: commands, and text in braces. */
const TEX = /\\[a-z]+|\{[^{}]*\}/gi;
const WORDS = /[a-z]{5}|[\s,;.](?:and|are|but|for|from|not|of|on|or|per|than|the|then|to|vs|was|with)[\s,;.]/i;
/** A shell variable, as in `$HOME/$`, or an amount followed by a word. */
const NAME = /^[A-Z]{2,}[/:.]|[A-Z]{2}_[A-Z]{2}/;
const AMOUNT = /^[\d.,]+[kmb]?\s+[a-z]{2}/i;

/** What looks like a formula is a part of a sentence: `$5 or 6$`, `$HOME/$`; or code begins in it. */
export function isProse(source: string): boolean {
  if (source.includes('`')) return true;
  if (source.startsWith('$$') || !source.startsWith('$')) return false;
  const inner = source.slice(1, -1).replace(TEX, ' ');
  return WORDS.test(inner) || NAME.test(inner) || AMOUNT.test(inner);
}
