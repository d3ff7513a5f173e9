// Where two answers of any length differ: by lines and sentences first, then by words within what changed. Bounded
// work: where that is not enough, what could not be compared is said to be so. Pure.
import { findChanges, toIds, type Budget } from './sequenceDiff.ts';
import { joinParts, toWordDiff, type DiffPart } from './wordDiff.ts';

export interface TextDiff {
  /** Joined, `same` and `removed` give the first text, `same` and `added` the second. */
  readonly parts: readonly DiffPart[];
  /** Every change is one of words; else whole passages are marked, and words can't be counted. */
  readonly isExact: boolean;
}

/**
 * Steps of the search, about a second of them on a slow machine: a search for `n` changes takes about half of `n` times
 * `n`.
 */
const MAX_STEPS = 20_000_000;
/** A sentence with the white space behind it, a line with its end. */
const SENTENCE = /[^\n.!?。！？]*(?:\n+|[.!?。！？]+["'”’)\]*]*\s*|$)/g;

const toSentences = (text: string): string[] => (text.match(SENTENCE) ?? []).filter((sentence) => sentence !== '');

/** Texts that stand in each other's place; both the same: `same`. */
interface Passage {
  readonly before: string;
  readonly after: string;
  readonly isSame: boolean;
}

/**
 * The passages of both texts in order: those that both have, and what stands between them. null: the budget is spent.
 */
function toPassages(before: string, after: string, budget: Budget): readonly Passage[] | null {
  const [a, b] = [toSentences(before), toSentences(after)];
  const known = new Map<string, number>();
  const changes = findChanges(toIds(known, a), toIds(known, b), budget);
  if (changes === null) return null;
  const passages: Passage[] = [];
  let same = 0;
  const addSame = (end: number): void => {
    const text = b.slice(same, end).join('');
    passages.push({ before: text, after: text, isSame: true });
  };
  for (const { before: out, after: come } of changes) {
    addSame(come.start);
    passages.push({
      before: a.slice(out.start, out.end).join(''),
      after: b.slice(come.start, come.end).join(''),
      isSame: false,
    });
    same = come.end;
  }
  addSame(b.length);
  return passages;
}

const sizeOf = ({ before, after }: Passage): number => before.length + after.length;

/** null: the texts are too different to show how. */
export function toTextDiff(before: string, after: string): TextDiff | null {
  const budget: Budget = { steps: MAX_STEPS };
  const passages = toPassages(before, after, budget);
  if (passages === null) return null;
  const found = new Map<Passage, readonly DiffPart[]>();
  let isExact = true;
  // Short passages first: a long one without anything in common takes whatever is left.
  for (const passage of passages.filter(({ isSame }) => !isSame).sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const parts = toWordDiff(passage.before, passage.after, budget);
    isExact &&= parts !== null;
    found.set(
      passage,
      parts ?? [
        { kind: 'removed', text: passage.before },
        { kind: 'added', text: passage.after },
      ],
    );
  }
  const parts = joinParts(
    passages.flatMap((passage) => found.get(passage) ?? [{ kind: 'same' as const, text: passage.after }]),
  );
  const isAnythingSame = parts.some(({ kind, text }) => kind === 'same' && text.trim() !== '');
  return isExact || isAnythingSame ? { parts, isExact } : null;
}
