import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { HashTable, NumberList } from './numberLists.ts';

it('keeps numbers beyond its first size', () => {
  const list = new NumberList();
  for (let at = 0; at < 5000; at += 1) list.push(2 ** 32 - 1 - at);
  list.set(3, 7);
  expect(list.length).toBe(5000);
  expect([list.at(0), list.at(3), list.at(4999), list.at(5000)]).toEqual([2 ** 32 - 1, 7, 2 ** 32 - 5000, 0]);
  const copy = list.toArray();
  list.set(0, 1);
  expect(copy).toHaveLength(5000);
  expect(copy[0]).toBe(2 ** 32 - 1);
});

it('is the same as a map', () => {
  const half = fc.oneof(fc.nat(5), fc.constantFrom(0xffffffff, 0x80000000));
  fc.assert(
    fc.property(fc.array(fc.tuple(half, half, fc.nat())), (entries) => {
      const table = new HashTable();
      const map = new Map<string, number>();
      for (const [high, low, value] of entries) {
        expect(table.get(high, low)).toBe(map.get(`${high}/${low}`) ?? -1);
        table.set(high, low, value);
        map.set(`${high}/${low}`, value);
      }
      for (const [high, low] of entries) expect(table.get(high, low)).toBe(map.get(`${high}/${low}`));
    }),
  );
});

it('grows, and takes keys that differ in few bits', () => {
  const table = new HashTable();
  for (let at = 0; at < 20_000; at += 1) table.set(at * 2048, 0, at);
  for (let at = 0; at < 20_000; at += 1) expect(table.get(at * 2048, 0)).toBe(at);
  expect(table.get(1, 0)).toBe(-1);
});
