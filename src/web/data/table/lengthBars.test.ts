import { expect, it } from 'vitest';
import { toBars, toTopText } from './lengthBars.ts';

it('bars are shares of the highest, without empty ends', () => {
  const bins = [0, 3, 0, 300, 0].map((count, at) => ({ from: 2 ** at, to: 2 ** (at + 1), count }));
  expect(toBars(bins)).toEqual([
    { from: 2, share: 0.02, label: '2 to 3 characters: 3 rows' },
    { from: 4, share: 0, label: '4 to 7 characters: 0 rows' },
    { from: 8, share: 1, label: '8 to 15 characters: 300 rows' },
  ]);
  expect(toBars([])).toEqual([]);
});

it('a list of counts names the first ones', () => {
  expect(toTopText([{ name: 'user', count: 1200 }])).toBe('user 1,200');
  const many = Array.from({ length: 10 }, (_, at) => ({ name: `t${at}`, count: 1 }));
  expect(toTopText(many)).toBe('t0 1, t1 1, t2 1, t3 1, t4 1, t5 1, t6 1, t7 1 and 2 more');
});
