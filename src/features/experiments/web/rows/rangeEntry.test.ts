import { expect, it } from 'vitest';
import { toEntered, type Range } from './rangeEntry.ts';

it('waits while the ends are reversed, and never swaps them', () => {
  const steps = [
    ['from', 2],
    ['from', 20],
    ['to', 3],
    ['to', 30],
  ] as const;
  let shown: Range = { from: 1, to: 10 };
  const taken: Range[] = [];
  for (const [end, value] of steps) {
    const { range, problem } = toEntered(shown, end, value);
    shown = range;
    if (problem === null) taken.push(range);
  }
  expect(taken).toEqual([
    { from: 2, to: 10 },
    { from: 20, to: 30 },
  ]);
});

it('says what is wrong with both numbers', () => {
  expect(toEntered({ from: 1, to: 10 }, 'from', 20).problem).toContain('“from” (20) is greater than “to” (10)');
  expect(toEntered({ from: 5, to: 5 }, 'to', 5).problem).toBeNull();
  expect(toEntered({ from: 5, to: 9 }, 'to', null)).toEqual({ range: { from: 5, to: null }, problem: null });
});
