import { expect, it } from 'vitest';
import { findLengthProblem } from './nameLength.ts';

it('says how long a name may be, and how much is too much', () => {
  expect(findLengthProblem('W'.repeat(203), 200)).toBe(
    'A name has at most 200 characters, and this one has 203. Shorten it by 3.',
  );
  expect(findLengthProblem(` ${'W'.repeat(200)} `, 200)).toBeNull();
  expect(findLengthProblem('', 200)).toBeNull();
});
