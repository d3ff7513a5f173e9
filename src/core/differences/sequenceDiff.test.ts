import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findChanges, toIds, type Change } from './sequenceDiff.ts';

const ENOUGH = 1e9;
const ids = (text: string): Int32Array => Int32Array.from(text, (sign) => sign.charCodeAt(0));
const find = (a: string, b: string, steps = ENOUGH): readonly Change[] | null => findChanges(ids(a), ids(b), { steps });

/** What is left of `a`, and of `b`, without the changes. */
const shared = (a: string, b: string, changes: readonly Change[]): readonly [string, string] => {
  const cut = (text: string, side: 'before' | 'after'): string =>
    changes
      .toReversed()
      .reduce((rest, change) => rest.slice(0, change[side].start) + rest.slice(change[side].end), text);
  return [cut(a, 'before'), cut(b, 'after')];
};

/** The length of the longest sequence that both have, the plain way. */
function longest(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const sign of a) {
    const next = [0];
    for (const [at, other] of [...b].entries())
      next.push(sign === other ? (row[at] ?? 0) + 1 : Math.max(next[at] ?? 0, row[at + 1] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

it.each([
  ['', '', []],
  ['abc', 'abc', []],
  ['', 'a', [{ before: { start: 0, end: 0 }, after: { start: 0, end: 1 } }]],
  ['abc', 'axc', [{ before: { start: 1, end: 2 }, after: { start: 1, end: 2 } }]],
])('%j to %j', (a, b, changes) => expect(find(a, b)).toEqual(changes));

it('leaves the longest sequence that both have', () => {
  for (const letters of ['ab', 'abcdef']) {
    const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 40 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = shared(a, b, find(a, b) ?? []);
        expect(left).toBe(right);
        expect(left).toHaveLength(longest(a, b));
      }),
      { numRuns: 500 },
    );
  }
});

it('takes no more steps than it may', () => {
  const [a, b] = ['a'.repeat(500), 'b'.repeat(500)];
  expect([find(a, b, 1000), find(a, b)]).toEqual([
    null,
    [{ before: { start: 0, end: 500 }, after: { start: 0, end: 500 } }],
  ]);
});

it('numbers texts, the same for the same', () => {
  const known = new Map<string, number>();
  expect([...toIds(known, ['a', 'b', 'a']), ...toIds(known, ['b', 'c'])]).toEqual([0, 1, 0, 1, 2]);
});
