import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRows } from './compareRows.ts';

const row = (id: number, question: string, answer: string) => ({ id, question, hash: `${question}/${answer}` });

describe('compareRows', () => {
  it('finds added, gone and changed rows', () => {
    const before = [row(1, 'a', '1'), row(2, 'b', '1'), row(3, 'c', '1')];
    const after = [row(4, 'd', '1'), row(5, 'b', '2'), row(6, 'a', '1')];
    expect(compareRows(before, after)).toEqual({
      same: 1,
      added: [after[0]],
      gone: [before[2]],
      changed: [{ before: before[1], after: after[1] }],
    });
  });

  it('counts equal rows one by one, in their order', () => {
    const before = [row(1, 'a', '1'), row(2, 'a', '1'), row(3, 'a', '2')];
    const after = [row(4, 'a', '1'), row(5, 'a', '3'), row(6, 'a', '4'), row(7, 'a', '5')];
    expect(compareRows(before, after)).toEqual({
      same: 1,
      added: [after[3]],
      gone: [],
      changed: [
        { before: before[1], after: after[1] },
        { before: before[2], after: after[2] },
      ],
    });
  });

  it('accounts for each row once, and finds no change in the same rows', () => {
    const list = fc.array(fc.tuple(fc.nat(4), fc.nat(2)).map(([a, b]) => ({ question: `${a}`, hash: `${a}/${b}` })));
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { same, added, gone, changed } = compareRows(before, after);
        expect(same + gone.length + changed.length).toBe(before.length);
        expect(same + added.length + changed.length).toBe(after.length);
        for (const pair of changed) {
          expect(pair.before.question).toBe(pair.after.question);
          expect(pair.before.hash).not.toBe(pair.after.hash);
        }
        expect(compareRows(before, before.toReversed())).toEqual({
          same: before.length,
          added: [],
          gone: [],
          changed: [],
        });
      }),
    );
  });
});
