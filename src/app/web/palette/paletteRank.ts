// Which of many texts a typed query finds, best first; texts may stand above each other. Pure.
import { INNER, toAllBits, toOwnBits, toSearchWords, type SearchWord } from '#ui/kit/searchWords.ts';

/** A typed text, taken apart once. */
export interface PaletteQuery {
  readonly words: readonly string[];
  readonly searched: readonly SearchWord[];
  /** The words with one space between them. */
  readonly phrase: string;
}

export function parseQuery(text: string): PaletteQuery {
  return toQuery(text.toLowerCase().split(/\s+/).filter(Boolean));
}

/** `words`: lower case. */
export function toQuery(words: readonly string[]): PaletteQuery {
  return { words, searched: toSearchWords([...new Set(words)]), phrase: words.join(' ') };
}

/** The texts that have every word themselves come first, then those that need the ones above them. */
const PATH_RANK = 6;
const RANKS = 8;

/** What stands above each text: the place of its parent, before its own; -1 for none. */
export type Parents = Int32Array;

/** 2: the word begins a word of the label; 3: it is within the label; 4: it begins another field; 5: within one. */
function rankWord(text: string, label: number, word: string): number {
  let best = 5;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isStart = at === 0 || !INNER.test(text.charAt(at - 1));
    if (at + word.length <= label) {
      if (isStart) return 2;
      best = 3;
    } else if (best > 4 && text.charAt(at - 1) === '\n') best = 4;
  }
  return best;
}

/**
 * How well a text fits, 0 best; -1: not every word is in it. `text` is lower case, its label up to the first line
 * break, other fields on lines of their own. 0: it is the label; 1: the label begins with it; else as badly as its
 * worst word.
 */
export function rankText(text: string, { words, phrase }: PaletteQuery): number {
  for (const word of words) if (!text.includes(word)) return -1;
  const end = text.indexOf('\n');
  const label = end < 0 ? text.length : end;
  if (text.startsWith(phrase) && phrase.length <= label) return phrase.length === label ? 0 : 1;
  let worst = 2;
  for (const word of words) worst = Math.max(worst, rankWord(text, label, word));
  return worst;
}

/** What was found so far. */
export interface Ranking {
  /** Per rank the numbers of the first texts that have it. */
  readonly places: readonly number[][];
  /** For each text the bits of the words that it has, or one above it; empty where none stands above another. */
  readonly bits: Int32Array;
  count: number;
}

/** `length`: how many texts there are, where they stand above each other. */
export function startRanking(length = 0): Ranking {
  return { places: Array.from({ length: RANKS }, () => []), bits: new Int32Array(length), count: 0 };
}

/** As `rankText`, for a text beneath others: it has at least one word itself, unless it is `isFound`; they have the rest. */
function rankPath(
  { bits }: Ranking,
  text: string,
  query: PaletteQuery,
  at: number,
  parent: number,
  isFound: boolean,
): number {
  const { searched } = query;
  const all = toAllBits(searched.length);
  const own = toOwnBits(text, searched);
  const within = own | (parent < 0 ? 0 : (bits[parent] ?? 0));
  bits[at] = within;
  if (own === all) return rankText(text, query);
  if ((own === 0 && !isFound) || within !== all) return -1;
  const end = text.indexOf('\n');
  const label = end < 0 ? text : text.slice(0, end);
  return searched.some((word, place) => (own & (1 << place)) !== 0 && label.includes(word.text))
    ? PATH_RANK
    : PATH_RANK + 1;
}

/**
 * Goes on with the texts `from` up to, not including, `to`, in order; no rank keeps more than `most`. `isWanted`: which
 * places can be found, for something that is no text; the words may then all stand above. Absent: all.
 */
export function rankRange(
  ranking: Ranking,
  texts: readonly string[],
  query: PaletteQuery,
  from: number,
  to: number,
  most: number,
  parents?: Parents,
  isWanted?: (at: number) => boolean,
): void {
  for (let at = from; at < Math.min(to, texts.length); at += 1) {
    const text = texts[at] ?? '';
    const rank = parents
      ? rankPath(ranking, text, query, at, parents[at] ?? -1, isWanted !== undefined)
      : rankText(text, query);
    if (rank < 0 || (isWanted && !isWanted(at))) continue;
    ranking.count += 1;
    const places = ranking.places[rank];
    if (places && places.length < most) places.push(at);
  }
}

export interface Ranked {
  /** Best first; equals in the order of the texts. */
  readonly places: readonly number[];
  /** The rank of the first; beyond all ranks when nothing was found. */
  readonly best: number;
  readonly count: number;
}

export function toRanked({ places, count }: Ranking, most: number): Ranked {
  const best = places.findIndex((list) => list.length > 0);
  return { places: places.flat().slice(0, most), best: best < 0 ? RANKS : best, count };
}

/** All at once. Without words everything is found, in its own order. */
export function rankTexts(texts: readonly string[], query: PaletteQuery, most: number, parents?: Parents): Ranked {
  if (query.words.length === 0)
    return { places: texts.map((_, at) => at).slice(0, most), best: 0, count: texts.length };
  const ranking = startRanking(parents ? texts.length : 0);
  rankRange(ranking, texts, query, 0, texts.length, most, parents);
  return toRanked(ranking, most);
}
