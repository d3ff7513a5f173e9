// Where two answers differ, by words. It must not know how differences look.
import { diffWordsWithSpace } from 'diff';

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this many changed words two texts have nothing in common that is worth the search: O(changes x words). */
const MAX_EDITS = 4_000;

/** The second text measured against the first. Joined, `same` and `removed` give the first text, `same` and `added` the second. */
export function toWordDiff(before: string, after: string): readonly DiffPart[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (!parts) {
    const whole: DiffPart[] = [{ kind: 'removed', text: before }, { kind: 'added', text: after }];
    return whole.filter((part) => part.text !== '');
  }
  return parts.map(({ value, added, removed }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value }));
}

export interface DiffCount {
  readonly removed: number;
  readonly added: number;
}

const countWords = (text: string): number => text.split(/\s+/u).filter(Boolean).length;

/** Words that left and words that came. */
export function countChanges(parts: readonly DiffPart[]): DiffCount {
  const sum = (kind: DiffPart['kind']): number => parts.reduce((count, part) => count + (part.kind === kind ? countWords(part.text) : 0), 0);
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
