import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PARAMETERS, type Parameter } from '#shared/training/compareTable.ts';
import { toTestCandidate } from '#shared/training/candidate.fixture.ts';
import type { CompareColumn } from './compareColumns.ts';
import { parseOrder, reduceSort, toColumnOrder, toOrderText } from './columnOrder.ts';

const epochs = PARAMETERS.find(({ id }) => id === 'n_epochs') ?? null;
const column = (ref: string, n_epochs: number | null): CompareColumn => ({
  kind: 'ready',
  ref,
  series: 0,
  candidate: toTestCandidate(ref, { n_epochs }),
  losses: [],
  created: null,
  gap: null,
});
const open: CompareColumn = { kind: 'missing', ref: 'open', series: 0, words: 'gone' };
const refs = (columns: readonly CompareColumn[]) => columns.map(({ ref }) => ref).join(' ');
const columns = [
  column('ten', 10),
  open,
  column('none', null),
  column('two', 2),
  column('nan', Number.NaN),
  column('two again', 2),
];

it('puts the baseline first and keeps the others as chosen', () =>
  expect(refs(toColumnOrder(columns, 'two', null, false))).toBe('two ten open none nan two again'));

it('sorts numbers as numbers, missing ones last in both directions, the baseline still first', () => {
  expect(refs(toColumnOrder(columns, null, epochs, false))).toBe('two two again ten open none nan');
  expect(refs(toColumnOrder(columns, null, epochs, true))).toBe('ten two two again open none nan');
  expect(refs(toColumnOrder(columns, 'none', epochs, true))).toBe('none ten two two again open nan');
});

it('sorts texts by their numbers, after all numbers', () => {
  const values: Record<string, string | number> = { a: 'step 10', b: 'step 9', c: 3 };
  const mixed: Parameter = {
    id: 'mixed',
    name: 'mixed',
    kind: 'text',
    isResult: false,
    isMeasured: false,
    read: ({ key }) => values[key] ?? null,
  };
  expect(
    refs(
      toColumnOrder(
        ['a', 'b', 'c'].map((ref) => column(ref, 1)),
        null,
        mixed,
        false,
      ),
    ),
  ).toBe('c b a');
});

it('never loses a column', () => {
  const value = fc.option(fc.oneof(fc.integer(), fc.constant(Number.NaN)));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 12 }), fc.nat(12), fc.boolean(), (values, baseline, isDescending) => {
      const all = values.map((n_epochs, index) => column(`k${index}`, n_epochs));
      const ordered = toColumnOrder(all, `k${baseline}`, epochs, isDescending);
      expect(ordered.map(({ ref }) => ref).toSorted()).toEqual(all.map(({ ref }) => ref).toSorted());
      if (baseline < all.length) expect(ordered[0]?.ref).toBe(`k${baseline}`);
    }),
  );
});

it('goes from ascending to descending to as chosen, and starts again on another row', () => {
  const up = reduceSort(null, 'a');
  const down = reduceSort(up, 'a');
  expect([up, down, reduceSort(down, 'a'), reduceSort(down, 'b')]).toEqual([
    { id: 'a', isDescending: false },
    { id: 'a', isDescending: true },
    null,
    { id: 'b', isDescending: false },
  ]);
});

it('is stored in the address, and read only if there is such a row', () => {
  const dashed: Parameter = {
    id: '-odd',
    name: '-odd',
    kind: 'count',
    isResult: false,
    isMeasured: false,
    read: () => 1,
  };
  const rows = [...PARAMETERS, dashed];
  for (const sort of [
    null,
    { id: 'n_epochs', isDescending: false },
    { id: 'n_epochs', isDescending: true },
    { id: '-odd', isDescending: false },
    { id: '-odd', isDescending: true },
  ]) {
    expect(parseOrder(toOrderText(sort), rows)).toEqual(sort);
  }
  expect([parseOrder('nothing', rows), parseOrder('-nothing', rows), parseOrder('-', rows)]).toEqual([
    null,
    null,
    null,
  ]);
});
