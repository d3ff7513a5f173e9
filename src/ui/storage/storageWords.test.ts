import { expect, it } from 'vitest';
import { DatabaseTrouble } from './browserDatabase.ts';
import { toStorageProblem, toStorageWords } from './storageWords.ts';

const WORDS = toStorageWords('grids', 'grid', 'Nothing is stored.', 'The storage is full.');

it('says what is in the way of opening, what to do, and what follows', () => {
  expect(WORDS.blocked).toBe(
    'An older version of the studio is open in another tab. Close or reload that tab. Then the grids appear here.',
  );
});

it('has words for each reason', () => {
  expect(toStorageProblem(new DOMException('', 'QuotaExceededError'), WORDS)).toBe(WORDS.full);
  expect(toStorageProblem(new DatabaseTrouble('deleted', ''), WORDS)).toBe(WORDS.deleted);
  expect(toStorageProblem(new Error('denied'), WORDS)).toBe(WORDS.none);
});
