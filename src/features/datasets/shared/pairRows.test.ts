import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pairRows, type RowKeys } from './pairRows.ts';

/** null: there is no row at this position. */
type Keys = readonly (readonly [place: number, rest: number] | null)[];

const toKeys = (keys: Keys): RowKeys => ({
  places: Uint32Array.from(keys, (key) => key?.[0] ?? 0),
  rests: Uint32Array.from(keys, (key) => key?.[1] ?? 0),
  left: Uint8Array.from(keys, (key) => (key === null ? 0 : 1)),
});

function pair(before: Keys, after: Keys) {
  const [one, other] = [toKeys(before), toKeys(after)];
  const pairs: [number, number][] = [];
  pairRows(one, other, (...found) => pairs.push(found));
  const toLeft = ({ left }: RowKeys): number[] => [...left.keys()].filter((at) => left[at] !== 0);
  return { pairs, before: toLeft(one), after: toLeft(other) };
}

it('pairs rows of one key, whatever their positions, and leaves the others', () => {
  const [a, b, c, d] = [
    [1, 1],
    [1, 2],
    [0xffff_ffff, 0xffff_fffe],
    [2, 2],
  ] as const;
  expect(pair([a, b, null, c], [d, c, a])).toEqual({
    pairs: [
      [3, 1],
      [0, 2],
    ],
    before: [1],
    after: [0],
  });
  expect(pair([], [a])).toEqual({ pairs: [], before: [], after: [0] });
});

it('pairs equal rows one by one, in their order', () => {
  const a = [7, 7] as const;
  expect(pair([a, a, [8, 7], a], [a, [9, 7], a])).toEqual({
    pairs: [
      [0, 0],
      [1, 2],
    ],
    before: [2, 3],
    after: [1],
  });
});

it('accounts for each row once, and leaves no two rows of one key', () => {
  // Few keys, in few slots of the table.
  const key = fc.option(fc.tuple(fc.nat(2), fc.constantFrom(0, 8, 16)), { freq: 5 });
  const keys = fc.array(key, { maxLength: 40 });
  fc.assert(
    fc.property(keys, keys, (before, after) => {
      const found = pair(before, after);
      const there = (list: Keys): number => list.filter((each) => each !== null).length;
      expect(found.pairs.length + found.before.length).toBe(there(before));
      expect(found.pairs.length + found.after.length).toBe(there(after));
      for (const [one, other] of found.pairs) expect(before[one]).toEqual(after[other]);
      const left = new Set(found.before.map((at) => String(before[at])));
      expect(found.after.filter((at) => left.has(String(after[at])))).toEqual([]);
      expect(pair(before, before.toReversed()).before).toEqual([]);
    }),
  );
});
