import { expect, it } from 'vitest';
import { keepRunColors, toRunColors } from './runColors.ts';

const run = (id: string, chosenPlace: number | null = null) => ({ id, chosenPlace });

it('keeps the colour of a run when others arrive before it', () => {
  const before = toRunColors('p', [run('a'), run('b')]);
  const after = toRunColors('p', [run('new'), run('a'), run('b')]);
  expect([after.get('a'), after.get('b')]).toEqual([before.get('a'), before.get('b')]);
  expect(after.get('new')).toBe(2);
  expect(toRunColors('other', [run('z')]).get('z')).toBe(0);
});

it('gives a chosen run the colour of the table', () => {
  expect(toRunColors('p', [run('a', 5)]).get('a')).toBe(5);
});

it('leaves the place of an archived run to it', () => {
  keepRunColors('archive', ['a', 'gone', 'b']);
  expect(toRunColors('archive', [run('a'), run('b')]).get('b')).toBe(2);
});
