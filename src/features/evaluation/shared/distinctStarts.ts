// Shows several texts in one line each, so that a person sees how they differ. Short texts are shown whole, long ones
// from where they part from the most similar other. Different texts never have the same line. Pure.

/** A line starts at the start of a word; within a word that is longer, as in JSON or in Chinese. */
const MAX_WORD = 40;
/** Texts up to this length are shown whole. */
const SHORT = 100;
const MAX_LINE = 200;

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Removes the marks of Markdown. A fence that is closed in the same line stays: it holds the code itself. */
function removeMarks(text: string): string {
  return text
    .replaceAll(/^[ \t]*(?:```(?!.*```)|~~~(?!.*~~~)).*$/gm, '')
    .replaceAll(/^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)*\|?[ \t]*$/gm, '')
    .replaceAll(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/^[ \t]{0,3}(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replaceAll(/(?<=^|[\s("'“‘])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?=$|[\s.,;:!?)"'”’])/gm, '')
    .replaceAll('`', '');
}

/**
 * The text in one line, without the marks of bold, headings, lists, quotes, code, links and table rules. A text of
 * nothing but marks keeps them.
 */
export const toPlainLine = (text: string): string => toOneLine(removeMarks(text)) || toOneLine(text);

/** The length of the start that two texts share. */
function countCommon(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

function toLine(text: string, others: readonly string[]): string {
  if (text.length <= SHORT) return text;
  const place = Math.max(0, ...others.map((other) => countCommon(text, other)));
  const word = place === 0 ? 0 : text.lastIndexOf(' ', place - 1) + 1;
  const from = place - word <= MAX_WORD ? word : place;
  // Never half a character.
  const piece = text.slice(from, from + MAX_LINE).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${from > 0 ? '… ' : ''}${piece}${from + MAX_LINE < text.length ? '…' : ''}`;
}

const MARKS: Readonly<Record<string, string>> = { '\n': '↵', '\t': '⇥', ' ': '␣' };

/** Shows white space as visible marks, except single blanks between words. */
const toVisibleSpace = (text: string): string =>
  text.trim().replaceAll(/ (?=\s)|(?<=\s) |[^\S ]/g, (space) => MARKS[space] ?? '⍽');

/** From the shortest form to the most exact. The first in which different texts stay different is used. */
const FORMS = [toPlainLine, toOneLine, toVisibleSpace] as const;

/**
 * A line for each text; an empty text stays empty. Different texts have different lines. Texts that differ only in the
 * white space around them may have different lines too.
 */
export function toDistinctLines(texts: readonly string[]): readonly string[] {
  const count = new Set(texts.map((text) => text.trim())).size;
  const forms = FORMS.map((toForm) => texts.map(toForm));
  const shown = forms.find((form) => new Set(form).size === count) ?? forms.at(-1) ?? [];
  const taken = new Set<string>();
  return shown.map((text, at) => {
    const line = toLine(
      text,
      shown.filter((other, place) => place !== at && other !== text),
    );
    let unique = line;
    for (let number = 2; taken.has(unique); number += 1) unique = `${line} (${number})`;
    taken.add(unique);
    return unique;
  });
}
