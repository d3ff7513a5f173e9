// Shows several texts in one line each, so that a person sees how they differ. Short texts are shown whole, of long
// ones the pieces that differ. Different texts never have the same line. Pure.

/** A piece starts at the start of a word; within a word that is longer, as in JSON or in Chinese. */
const MAX_WORD = 40;
/** Texts up to this length are shown whole. */
const SHORT = 100;
/** Characters of a line. Its pieces share them, but none gets fewer than MIN_PIECE. */
const MAX_LINE = 200;
const MIN_PIECE = 24;

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

/**
 * The start of the word that holds the first difference, after `common` characters; in a long word a place before it.
 */
function findStart(text: string, common: number): number {
  const start = common === 0 ? 0 : text.lastIndexOf(' ', common - 1) + 1;
  if (common - start <= MAX_WORD) return start;
  const place = common - 1;
  const word = new Intl.Segmenter('en', { granularity: 'word' }).segment(text).containing(place)?.index ?? place;
  if (place - word <= MAX_WORD) return word;
  return (
    new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text).containing(place - MAX_WORD / 2)?.index ?? place
  );
}

/** The pieces of the text at its differences from others (`places`), in order, with `…` for each gap. */
function toPieces(text: string, places: readonly number[]): string {
  const length = Math.max(MIN_PIECE, Math.floor(MAX_LINE / places.length));
  let line = '';
  let shown = 0;
  for (const place of places) {
    const from = Math.max(shown, findStart(text, place));
    const end = Math.min(text.length, place + length);
    // Never half a character.
    const to = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end + 1 : end;
    if (to <= shown) continue;
    if (from > shown) line += shown === 0 ? '… ' : ' … ';
    line += text.slice(from, to);
    shown = to;
  }
  if (shown < text.length) line += '…';
  return places.at(-1) === text.length ? `${line} (ends where others go on)` : line;
}

function toLine(text: string, others: readonly string[]): string {
  if (text.length <= SHORT) return text;
  const places = new Set(others.map((other) => countCommon(text, other)));
  return toPieces(text, places.size === 0 ? [0] : [...places].toSorted((a, b) => a - b));
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
