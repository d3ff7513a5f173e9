// How several distinct texts are told apart in one line each: short ones are shown whole, of others what stands where
// they part from each other. No two different texts have the same line. Pure.

/** A word that is longer, as in JSON or in Chinese, is begun within. */
const MAX_WORD = 40;
/** A text that is no longer is shown whole. */
const SHORT = 100;
/** Characters of a line, shared by its pieces; none of them is shorter than a piece. */
const MAX_LINE = 200;
const MIN_PIECE = 24;

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Leaves out what marks begin and end with; a fence that is closed in its own line holds the code itself. */
function leaveOutMarks(text: string): string {
  return text
    .replaceAll(/^[ \t]*(?:```(?!.*```)|~~~(?!.*~~~)).*$/gm, '')
    .replaceAll(/^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)*\|?[ \t]*$/gm, '')
    .replaceAll(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/^[ \t]{0,3}(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replaceAll(/(?<=^|[\s("'“‘])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?=$|[\s.,;:!?)"'”’])/gm, '')
    .replaceAll('`', '');
}

/**
 * The text in one line, without marks for bold, headings, lists, quotes, code, links and the rules of tables; with them
 * where it is nothing else.
 */
export const toPlainLine = (text: string): string => toOneLine(leaveOutMarks(text)) || toOneLine(text);

/** How many characters two texts begin with alike. */
function countCommon(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

/** Where the word begins in which texts part after `common` characters; in a long one a little before that. */
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

/** What stands where the text parts from others, in order of the places; three dots stand for what is left out. */
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

/** White space to be seen: all but single blanks between words. */
const toSeen = (text: string): string =>
  text.trim().replaceAll(/ (?=\s)|(?<=\s) |[^\S ]/g, (space) => MARKS[space] ?? '⍽');

/** Left out is what a difference can do without: marks, then how white space is made. */
const FORMS = [toPlainLine, toOneLine, toSeen] as const;

/**
 * A line for each text; an empty one stays empty. Different texts have different lines, equal ones (but for white space
 * around them) may not.
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
    let own = line;
    for (let number = 2; taken.has(own); number += 1) own = `${line} (${number})`;
    taken.add(own);
    return own;
  });
}
