// How several distinct texts are told apart in one line each: every one begins at its first word that differs.
// Pure; it must not know where the texts come from.

/** A word that is longer, as in JSON or in Chinese, is begun within. */
const MAX_WORD = 40;
const MAX_LINE = 200;

/** The text in one line, without marks for bold, headings, lists, quotes, code, links and the rules of tables. */
export function toPlainLine(text: string): string {
  return text
    .replaceAll(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replaceAll(/^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)*\|?[ \t]*$/gm, '')
    .replaceAll(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/^[ \t]{0,3}(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replaceAll(/(?<=^|[\s("'“‘])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?=$|[\s.,;:!?)"'”’])/gm, '')
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** How many characters two texts begin with alike; the end counts as one, so that a text is told from one that goes on. */
function countCommon(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  const isAtEnd = (text: string): boolean => at === text.length || text[at] === ' ';
  return isAtEnd(a) && isAtEnd(b) ? at + 1 : at;
}

/** Where the word or the character begins that stands at a place. */
function findSegment(text: string, granularity: 'word' | 'grapheme', place: number): number {
  return new Intl.Segmenter('en', { granularity }).segment(text).containing(place)?.index ?? place;
}

/** Where the word, or within a long one the part of it, begins in which `text` differs after `common` characters. */
function findStart(text: string, common: number): number {
  const start = common === 0 ? 0 : text.lastIndexOf(' ', common - 1) + 1;
  if (common > text.length) return text.length;
  if (common - start <= MAX_WORD) return start;
  const place = Math.min(common, text.length - 1);
  const word = findSegment(text, 'word', place);
  // One that goes on for long, such as a hash, is begun a little before the difference.
  return place - word <= MAX_WORD ? word : findSegment(text, 'grapheme', place - MAX_WORD / 2);
}

const cut = (text: string): string => text.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, '');

function toLine(text: string, others: readonly string[]): string {
  if (text === '') return '';
  if (others.includes(text)) return `(only white space differs) ${cut(text)}`;
  const start = findStart(text, Math.max(0, ...others.map((other) => countCommon(text, other))));
  if (start === 0) return cut(text);
  if (start < text.length) return `… ${cut(text.slice(start))}`;
  const last = text.slice(text.lastIndexOf(' ') + 1);
  return last.length > MAX_WORD ? '… (ends where others go on)' : `… ${last} (ends where others go on)`;
}

/** A line for each text; an empty one stays empty. Marks are left out but where texts differ in nothing else. */
export function toDistinctLines(texts: readonly string[]): readonly string[] {
  const plain = texts.map(toPlainLine);
  const shown = plain.map((line, at) => (plain.some((other, place) => place !== at && other === line) ? (texts[at] ?? '').replaceAll(/\s+/g, ' ').trim() : line));
  return shown.map((line, at) => toLine(line, shown.filter((_, place) => place !== at)));
}
