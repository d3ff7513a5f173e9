import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findPlace, hasAny, intersect, isIn } from './sortedPositions.ts';

const positions = fc
  .uniqueArray(fc.nat(30))
  .map((list) => Uint32Array.from(list.toSorted((one, other) => one - other)));

it('finds what a look at each number finds', () => {
  fc.assert(
    fc.property(fc.array(positions, { maxLength: 3 }), fc.nat(31), fc.nat(31), (lists, from, end) => {
      const [list = new Uint32Array()] = lists;
      expect([findPlace(list, from), isIn(list, from)]).toEqual([list.indexOf(from), list.includes(from)]);
      expect(hasAny(list, from, end)).toBe([...list].some((each) => each >= from && each < end));
      const inAll = [...list].filter((each) => lists.every((other) => other.includes(each)));
      expect(intersect(lists)).toEqual(lists.length === 0 ? null : Uint32Array.from(inAll));
    }),
  );
});
