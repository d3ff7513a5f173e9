import { expect, it } from 'vitest';
import { isDeeperThan, toTooDeepText } from './valueDepth.ts';

const nest = (levels: number, open = '[', close = ']'): unknown =>
  JSON.parse(`${open.repeat(levels)}0${close.repeat(levels)}`);

it('counts lists and objects alike', () => {
  expect(
    [nest(7), nest(8), nest(7, '{"a":', '}'), nest(8, '{"a":', '}')].map((value) => isDeeperThan(value, 7)),
  ).toEqual([false, true, false, true]);
  expect([
    isDeeperThan([[], [[], { a: 1 }]], 2),
    isDeeperThan([[], [[], { a: 1 }]], 3),
    isDeeperThan('[[[', 0),
    isDeeperThan(null, 0),
    isDeeperThan({}, 0),
  ]).toEqual([true, false, false, false, true]);
  expect(toTooDeepText(7)).toBe('nested too deeply: more than 7 levels');
});

it('takes any depth and any breadth', () => {
  expect([nest(100_000), Array.from({ length: 100_000 }, () => [])].map((value) => isDeeperThan(value, 100))).toEqual([
    true,
    false,
  ]);
});
