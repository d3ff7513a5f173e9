import { expect, it } from 'vitest';
import { openDraw, toUnlike } from './draw.ts';

it('says a phrase in each of its ways, fills its slots, and leaves no holes', () => {
  const draw = openDraw(1);
  const said = new Set(
    Array.from({ length: 200 }, () => draw.phrase('[I|We [really|]] like {city} [now|] , {what}.', { city: 'Oslo' })),
  );
  const starts = ['I like Oslo', 'We like Oslo', 'We really like Oslo'];
  const ends = [' now, {what}.', ', {what}.'];
  expect([...said].toSorted()).toEqual(starts.flatMap((start) => ends.map((end) => start + end)).toSorted());
});

it('says the same with the same seed', () => {
  const say = (seed: number): readonly number[] => {
    const draw = openDraw(seed);
    return Array.from({ length: 20 }, () => draw.number(3, 9));
  };
  expect(say(5)).toEqual(say(5));
  expect(say(5)).not.toEqual(say(6));
  expect([Math.min(...say(5)), Math.max(...say(5))]).toEqual([3, 9]);
});

it('gives no prompt twice, and says when the phrases give too few', () => {
  const draw = openDraw(1);
  const rows = toUnlike(3, () => ({ prompt: draw.phrase('[a|b|c]') }));
  expect(rows.map(({ prompt }) => prompt).toSorted()).toEqual(['a', 'b', 'c']);
  expect(() => toUnlike(4, () => ({ prompt: draw.phrase('[a|b|c]') }))).toThrow('only 3 texts of 4');
});
