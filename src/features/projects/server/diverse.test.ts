import { expect, it } from 'vitest';
import { pickDiverse } from './diverse.ts';

const pick = (texts: readonly string[], count: number) => pickDiverse(texts, count, (text) => text);

it('prefers texts with words that none of the chosen has', () => {
  expect(pick(['a b', 'a c', 'b c', 'd e'], 2)).toEqual(['a b', 'd e']);
});

it('covers every kind before it repeats one', () => {
  const labels = ['red', 'red', 'blue', 'red', 'green', 'blue'].map((label, index) => `label ${label} ${index}`);
  expect(pick(labels, 3).map((text) => text.split(' ')[1])).toEqual(['red', 'blue', 'green']);
});

it('takes texts that differ in digits only for the same', () => {
  expect(pick(['order 1', 'order 2', 'order 3'], 3)).toEqual(['order 1']);
});

it('gives what there is when there is little', () => {
  expect(pick([], 3)).toEqual([]);
  expect(pick(['one', 'two'], 5)).toEqual(['one', 'two']);
});
