// Where two answers differ, by words.
import { findChanges, toIds, type Budget } from './sequenceDiff.ts';

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A word, a run of white space, or a sign. In scripts without spaces between words, each character. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu;

const toTokens = (text: string): readonly string[] => text.match(TOKEN) ?? [];

/** Joins neighbouring parts of one kind, and drops empty ones. */
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
 * The differences between two texts, word by word; null: the budget is spent. `same` and `removed` joined are the first
 * text; `same` and `added` are the second.
 */
export function toWordDiff(before: string, after: string, budget: Budget): readonly DiffPart[] | null {
  const [a, b] = [toTokens(before), toTokens(after)];
  const known = new Map<string, number>();
  const changes = findChanges(toIds(known, a), toIds(known, b), budget);
  if (changes === null) return null;
  const cut = (tokens: readonly string[], start: number, end: number): string => tokens.slice(start, end).join('');
  const parts: DiffPart[] = [];
  let same = 0;
  for (const { before: removed, after: added } of changes) {
    parts.push(
      { kind: 'same', text: cut(b, same, added.start) },
      { kind: 'removed', text: cut(a, removed.start, removed.end) },
      { kind: 'added', text: cut(b, added.start, added.end) },
    );
    same = added.end;
  }
  return joinParts([...parts, { kind: 'same', text: cut(b, same, b.length) }]);
}

export interface DiffCount {
  readonly removed: number;
  readonly added: number;
}

const countWords = (text: string): number => text.split(/\s+/u).filter(Boolean).length;

/** How many words were removed and added. */
export function countChanges(parts: readonly DiffPart[]): DiffCount {
  const sum = (kind: DiffPart['kind']): number =>
    parts.reduce((count, part) => count + (part.kind === kind ? countWords(part.text) : 0), 0);
  return { removed: sum('removed'), added: sum('added') };
}

/** The number of the first word that differs, from 1; null if the texts are equal, white space included. */
export function findFirstDifference(before: string, after: string): number | null {
  if (before === after) return null;
  let end = 0;
  while (end < before.length && end < after.length && before[end] === after[end]) end += 1;
  const rests = [before.slice(end), after.slice(end)];
  // Both texts end a word here: the next word differs, or, if none follows, the white space after this one.
  if (end > 0 && rests.every((rest) => /^(\s|$)/u.test(rest))) {
    return countWords(before.slice(0, end)) + (rests.some((rest) => /\S/u.test(rest)) ? 1 : 0);
  }
  // The word with the differing character begins after the last white space before it.
  return countWords(before.slice(0, end).replace(/\S+$/u, '')) + 1;
}
