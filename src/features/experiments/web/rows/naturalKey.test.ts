import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naturalKey } from './naturalKey.ts';

const sorted = (texts: readonly string[]): string[] =>
  texts.toSorted((a, b) => (naturalKey(a) < naturalKey(b) ? -1 : Number(naturalKey(a) > naturalKey(b))));

describe('naturalKey', () => {
  it.each([
    [
      ['Experiment 10', 'Experiment 2', 'Experiment 1'],
      ['Experiment 1', 'Experiment 2', 'Experiment 10'],
    ],
    [
      ['b', 'A', 'a', 'B'],
      ['A', 'a', 'B', 'b'],
    ],
    [
      ['qwen3-14b', 'qwen3-8b', 'qwen3-0.6b', 'qwen3-1.7b'],
      ['qwen3-0.6b', 'qwen3-1.7b', 'qwen3-8b', 'qwen3-14b'],
    ],
    [
      ['run 010', 'run 9', 'run 10'],
      ['run 9', 'run 010', 'run 10'],
    ],
    [
      ['x1234567890123', 'x999999999', 'x1'],
      ['x1', 'x999999999', 'x1234567890123'],
    ],
    [
      ['', 'é', 'e', 'f'],
      ['', 'e', 'é', 'f'],
    ],
  ])('%j', (texts, wanted) => {
    expect(sorted(texts)).toEqual(wanted);
  });

  it('sorts numbers in a text as numbers, and never calls two texts equal', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        fc.pre(a !== b);
        expect(naturalKey(`run ${a} x`) < naturalKey(`run ${b} x`)).toBe(a < b);
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => void expect(naturalKey(a) === naturalKey(b)).toBe(a === b)),
    );
  });
});
