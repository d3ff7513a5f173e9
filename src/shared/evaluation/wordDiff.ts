// Where two answers differ, by words.
import { findChanges, toIds, type Budget } from './sequenceDiff.ts';

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A word, white space in a row, or a sign; of scripts that put no spaces between words each character by itself. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu;

const toTokens = (text: string): readonly string[] => text.match(TOKEN) ?? [];

/** Parts of one kind in a row are one part, and none is empty. */
export function joinParts(parts: readonly DiffPart[]): readonly DiffPart[] {
  const joined: DiffPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.text === '') continue;
    if (last?.kind === part.kind) joined[joined.length - 1] = { kind: part.kind, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/**
 * The second text measured against the first, word by word; null: the budget is spent. Joined, `same` and `removed`
 * give the first text, `same` and `added` the second.
 */
export function toWordDiff(before: string, after: string, budget: Budget): readonly DiffPart[] | null {
  const [a, b] = [toTokens(before), toTokens(after)];
  const known = new Map<string, number>();
  const changes = findChanges(toIds(known, a), toIds(known, b), budget);
  if (changes === null) return null;
  const cut = (tokens: readonly string[], start: number, end: number): string => tokens.slice(start, end).join('');
  const parts: DiffPart[] = [];
  let same = 0;
  for (const { before: out, after: come } of changes) {
    parts.push(
      { kind: 'same', text: cut(b, same, come.start) },
      { kind: 'removed', text: cut(a, out.start, out.end) },
      { kind: 'added', text: cut(b, come.start, come.end) },
    );
    same = come.end;
  }
  return joinParts([...parts, { kind: 'same', text: cut(b, same, b.length) }]);
}

export interface DiffCount {
  readonly removed: number;
  readonly added: number;
}

const countWords = (text: string): number => text.split(/\s+/u).filter(Boolean).length;

/** Words that left and words that came. */
export function countChanges(parts: readonly DiffPart[]): DiffCount {
  const sum = (kind: DiffPart['kind']): number =>
    parts.reduce((count, part) => count + (part.kind === kind ? countWords(part.text) : 0), 0);
  return { removed: sum('removed'), added: sum('added') };
}

/** The 1-based word at which two texts part; null when they are the same, white space included. */
export function findFirstDifference(before: string, after: string): number | null {
  if (before === after) return null;
  let end = 0;
  while (end < before.length && end < after.length && before[end] === after[end]) end += 1;
  const rests = [before.slice(end), after.slice(end)];
  // Both texts have finished a word here: what differs is the next one, or, where none follows, what stands behind it.
  if (end > 0 && rests.every((rest) => /^(\s|$)/u.test(rest))) {
    return countWords(before.slice(0, end)) + (rests.some((rest) => /\S/u.test(rest)) ? 1 : 0);
  }
  // The word that the differing character belongs to begins after the last white space before it.
  return countWords(before.slice(0, end).replace(/\S+$/u, '')) + 1;
}
