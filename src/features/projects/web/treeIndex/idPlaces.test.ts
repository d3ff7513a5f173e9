import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdTable } from './idPlaces.ts';

describe('IdTable', () => {
  it('finds what a Map finds', () => {
    const id = fc.oneof(fc.string(), fc.uuid(), fc.constantFrom('', '__proto__', 'a', 'b', 'ä\u{1F600}'));
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.array(id), (ids, others) => {
        const table = new IdTable(ids.length);
        expect(ids.map((each) => table.add(each))).toEqual(ids.map(() => true));
        const map = new Map(ids.map((each, at) => [each, at]));
        for (const each of [...ids, ...others])
          expect([table.get(each), table.has(each)]).toEqual([map.get(each), map.has(each)]);
      }),
    );
  });

  it('refuses an id that it has', () => {
    const table = new IdTable(3);
    expect([table.add('a'), table.add('b'), table.add('a')]).toEqual([true, true, false]);
  });

  it('takes 100,000 numbered ids', () => {
    const table = new IdTable(100_000);
    const toId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    let refused = 0;
    for (let n = 0; n < 100_000; n += 1) if (!table.add(toId(n))) refused += 1;
    expect(refused).toBe(0);
    expect([table.get(toId(0)), table.get(toId(99_999)), table.get(toId(100_000))]).toEqual([0, 99_999, undefined]);
  });
});
