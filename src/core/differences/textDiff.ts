// Where two answers of any length differ: first by lines and sentences, then by words within the changed ones. The work
// is bounded; passages beyond the bound are marked as a whole. Pure.
import { findChanges, toIds, type Budget } from './sequenceDiff.ts';
import { joinParts, toWordDiff, type DiffPart } from './wordDiff.ts';

export interface TextDiff {
  /** `same` and `removed` joined are the first text; `same` and `added` are the second. */
  readonly parts: readonly DiffPart[];
  /** False if whole passages are marked, so that words can't be counted. */
  readonly isExact: boolean;
}

/**
 * Steps of the search, about a second on a slow machine. A search for `n` changes takes about n²/2 steps.
 */
const MAX_STEPS = 20_000_000;
/** A sentence with the white space after it, or a line with its end. */
const SENTENCE = /[^\n.!?。！？]*(?:\n+|[.!?。！？]+["'”’)\]*]*\s*|$)/g;

const toSentences = (text: string): string[] => (text.match(SENTENCE) ?? []).filter((sentence) => sentence !== '');

/** A text of the first answer and the text that replaces it in the second. */
interface Passage {
  readonly before: string;
  readonly after: string;
  readonly isSame: boolean;
}

/**
 * The passages of both texts in order: shared ones, and the changed ones between them. null: the budget is spent.
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
  for (const { before: removed, after: added } of changes) {
    addSame(added.start);
    passages.push({
      before: a.slice(removed.start, removed.end).join(''),
      after: b.slice(added.start, added.end).join(''),
      isSame: false,
    });
    same = added.end;
  }
  addSame(b.length);
  return passages;
}

const sizeOf = ({ before, after }: Passage): number => before.length + after.length;

/** null: the texts are too different to show a difference. */
export function toTextDiff(before: string, after: string): TextDiff | null {
  const budget: Budget = { steps: MAX_STEPS };
  const passages = toPassages(before, after, budget);
  if (passages === null) return null;
  const found = new Map<Passage, readonly DiffPart[]>();
  let isExact = true;
  // Short passages first: a long one with nothing in common uses up the budget.
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
