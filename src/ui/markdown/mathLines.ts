// Formulas over several lines, which the lexer's blocks know nothing of: in them `+ b` begins no list and `=` no
// heading. Pure.

/** Only where a line begins without a space: what is indented may stand in code of a list. */
const BEGINNING = /^(?:(\$\$|\\\[)| {0,3}(?:`{3}|~{3}))/gm;
/** A code fence to its end or to that of the text. */
const FENCE = / {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*(?:\n(?! {0,3}\1[`~]* *$)[^\n]*)*(?:\n[^\n]*)?/my;
const MAX_LENGTH = 2000;

/** Stands for a line's end within a formula: a space to the lexer. */
const JOINT = '\v';

export interface FormulaLines {
  /** The text with each complete formula in one line, as long as before. `splitLines` undoes it. */
  readonly text: string;
  /** Where a formula begins that the text does not end; -1 where there is none. */
  readonly openAt: number;
}

/** Where a pattern is found next, for places that only grow: each part of the text is looked at once. */
function openFinder(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    pattern.lastIndex = from;
    found = pattern.exec(text)?.index ?? Infinity;
    return found;
  };
}

export function joinFormulas(text: string): FormulaLines {
  if (!text.includes('$$') && !text.includes('\\[')) return { text, openAt: -1 };
  const toDollar = openFinder(text, /\$/g);
  const toBracket = openFinder(text, /\\\]/g);
  const toBlankLine = openFinder(text, /\n[ \t]*\n/g);
  const parts: string[] = [];
  let openAt = -1;
  let copied = 0;
  let at = 0;
  for (;;) {
    BEGINNING.lastIndex = at;
    const beginning = BEGINNING.exec(text);
    if (!beginning) break;
    const { index, 1: mark } = beginning;
    const start = index + beginning[0].length;
    at = start;
    if (mark === undefined) {
      FENCE.lastIndex = index;
      at += (FENCE.exec(text)?.[0].length ?? beginning[0].length) - beginning[0].length;
      continue;
    }
    const end = mark === '$$' ? toDollar(start) : toBracket(start);
    const isWhole = mark !== '$$' || text.startsWith('$$', end);
    const isTooLong = Math.min(end, text.length) - start > MAX_LENGTH || toBlankLine(start) < end;
    if (isTooLong || end === start) continue;
    if (end < text.length && isWhole) {
      parts.push(text.slice(copied, index), text.slice(index, end + 2).replaceAll('\n', JOINT));
      at = end + 2;
      copied = at;
    } else if (openAt < 0 && (end > text.length || end === text.length - 1)) openAt = index;
  }
  return { text: parts.join('') + text.slice(copied), openAt };
}

export const splitLines = (text: string): string => text.replaceAll(JOINT, '\n');
