import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitFigures, toMoreText } from './manyFigures.ts';

const isEven = (entry: number): boolean => entry % 2 === 0;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const never = (): boolean => false;

it('folds what may be many, but for the first eight and what is in use', () => {
  const { shown, more } = splitFigures(numbers(40), isEven, (entry) => entry === 38);
  expect(shown.filter(isEven)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 38]);
  expect(shown.filter((entry) => !isEven(entry))).toHaveLength(20);
  expect(more).toEqual([16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36]);
  expect(toMoreText(1234)).toBe('More figures, 1,234');
});

it('folds nothing where there are few', () => {
  expect(splitFigures(numbers(22), isEven, never)).toEqual({ shown: numbers(22), more: [] });
  expect(splitFigures(numbers(24), isEven, never).more).toHaveLength(4);
});

it('loses nothing and keeps the order', () => {
  fc.assert(
    fc.property(fc.nat(80), fc.array(fc.nat(80)), (count, kept) => {
      const { shown, more } = splitFigures(numbers(count), isEven, (entry) => kept.includes(entry));
      expect([...shown, ...more].toSorted((a, b) => a - b)).toEqual(numbers(count));
      for (const list of [shown, more]) expect(list).toEqual(list.toSorted((a, b) => a - b));
    }),
  );
});
