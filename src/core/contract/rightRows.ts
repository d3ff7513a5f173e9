// Which validation rows a model answers exactly, as a text that is compared row by row with that of another model.
import * as z from 'zod/mini';

/** More rows are not written down. */
const MOST = 10_000;

/** Of each measured validation row in the file's order: `1`, answered exactly; `0`, not. */
export const rightRowsSchema = z
  .string()
  .check(
    z.regex(/^[01]*$/),
    z.maxLength(MOST),
    z.describe('Of each measured validation row in its order: 1, answered exactly; 0, not.'),
  );

/** undefined: more rows than are written down. */
export const toRightRows = (isRight: readonly boolean[]): string | undefined =>
  isRight.length > MOST ? undefined : isRight.map(Number).join('');

/** How many rows each of two models alone answers exactly, and both and neither; null: they were not measured on the same rows. */
export function countPairs(
  own: string,
  other: string,
): { readonly both: number; readonly own: number; readonly other: number; readonly neither: number } | null {
  if (own.length !== other.length || own === '') return null;
  const counts = { both: 0, own: 0, other: 0, neither: 0 };
  for (const [at, right] of [...own].entries()) {
    const isOther = other[at] === '1';
    counts[right === '1' ? (isOther ? 'both' : 'own') : isOther ? 'other' : 'neither'] += 1;
  }
  return counts;
}
