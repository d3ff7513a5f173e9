// Which validation rows a model answers exactly, as a text that is compared row by row with that of another model.
import * as z from 'zod/mini';

/** More rows are not written down. */
const MOST = 10_000;

/** Of each validation row in the file's order: `1`, answered exactly; `0`, not; `-`, not measured. */
export const rightRowsSchema = z
  .string()
  .check(
    z.regex(/^[01-]*$/),
    z.maxLength(MOST),
    z.describe('Of each validation row in its order: 1, answered exactly; 0, not; -, not measured.'),
  );

/**
 * Of the measured rows whether they are right, and their places among the validation rows, of which there are `count`.
 * undefined: more rows than are written down.
 */
export function toRightRows(
  isRight: readonly boolean[],
  places: readonly number[] = [...isRight.keys()],
  count = isRight.length,
): string | undefined {
  if (isRight.length > MOST) return undefined;
  const marks = Array.from({ length: Math.min(count, MOST) }, () => '-');
  for (const [at, place] of places.entries()) {
    if (place >= MOST) return undefined;
    marks[place] = isRight[at] === true ? '1' : '0';
  }
  return marks.join('');
}

/**
 * Of each of `count` validation rows whether it is right; null: it was not measured, or lies beyond those that are written
 * down. null for all: the text has another number of rows, so it is not known which rows it is about.
 */
export const readRightRows = (text: string, count: number): readonly (boolean | null)[] | null =>
  text.length === Math.min(count, MOST) ? [...text].map((mark) => (mark === '-' ? null : mark === '1')) : null;

/** How many rows each of two models alone answers exactly, and both and neither; null: they were not measured on the same rows. */
export function countPairs(
  own: string,
  other: string,
): { readonly both: number; readonly own: number; readonly other: number; readonly neither: number } | null {
  if (own.length !== other.length || own === '') return null;
  const counts = { both: 0, own: 0, other: 0, neither: 0 };
  for (const [at, right] of [...own].entries()) {
    if ((right === '-') !== (other[at] === '-')) return null;
    if (right === '-') continue;
    const isOther = other[at] === '1';
    counts[right === '1' ? (isOther ? 'both' : 'own') : isOther ? 'other' : 'neither'] += 1;
  }
  return counts;
}
