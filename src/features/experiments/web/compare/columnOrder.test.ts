import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PARAMETERS, type Parameter } from '#features/experiments/shared/parameters.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { CompareColumn } from './compareColumns.ts';
import {
  AS_LISTED,
  parseOrder,
  reduceSort,
  toColumnOrder,
  toOrderText,
  toShownOrder,
  toUsualOrder,
} from './columnOrder.ts';

const epochs = PARAMETERS.find(({ id }) => id === 'n_epochs') ?? null;
const column = (ref: string, n_epochs: number | null): CompareColumn => ({
  kind: 'ready',
  ref,
  series: 0,
  candidate: toTestCandidate(ref, { n_epochs }),
  losses: [],
  measured: null,
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

it('puts the baseline first and keeps the order of the others', () =>
  expect(refs(toColumnOrder(columns, 'two', null, false))).toBe('two ten open none nan two again'));

it.each([
  ['in the usual order', null, 'd c a b', null],
  ['as the address lists them', AS_LISTED, 'd a b c', AS_LISTED],
  ['by a row, downwards', '-n_epochs', 'd b c a', { label: 'Epochs', isDescending: true }],
  ['in the usual order for a row that is not there', 'rank', 'd c a b', null],
])('shows columns %s, the baseline or else the first usual one first', (_what, text, shown, said) => {
  const [a, b, c, d] = [column('a', 2), column('b', 9), column('c', 5), column('d', 1)] as const;
  const input = { columns: [a, b, c, d], usual: [d, c, a, b], baseline: null, parameters: PARAMETERS };
  const order = toShownOrder(text, input);
  expect([refs(order.ordered), order.said]).toEqual([shown, said]);
});

const run = (ref: string, snapshot_id: string, exact_match: number | null, status = 'succeeded'): CompareColumn => ({
  kind: 'ready',
  ref: `x:${ref}`,
  series: 0,
  candidate: toTestCandidate(ref, { origin: 'run', snapshot_id, status }),
  losses: [],
  measured: {
    answer_shape: 'fixed-set',
    main_measure: null,
    held_out: exact_match === null ? {} : { exact_match, validation_loss: 1 - exact_match },
  },
  created: null,
  gap: null,
});
const advice = (ref: string, origin: 'model' | 'proposal'): CompareColumn => ({
  ...(column(ref, 1) as Extract<CompareColumn, { kind: 'ready' }>),
  candidate: toTestCandidate(ref, { origin }),
});

it('shows runs first, the best of each snapshot first, then advice, then proposals, then what was not found', () => {
  const mixed = [
    open,
    advice('proposal', 'proposal'),
    run('good', 's1', 0.9),
    advice('base', 'model'),
    run('failed', 's1', null, 'failed'),
    run('other', 's2', 1),
    run('best', 's1', 0.95),
  ];
  expect(refs(toUsualOrder(mixed))).toBe('x:best x:good x:failed x:other base proposal open');
});

it('runs without a measure keep their order, failed ones last; nothing is sorted while a run is loading', () => {
  const runs = [run('failed', 's', null, 'failed'), run('a', 's', null), run('b', 's', null)];
  expect(refs(toUsualOrder(runs))).toBe('x:a x:b x:failed');
  const loading: CompareColumn = { kind: 'loading', ref: 'x:late', series: 0, words: 'Loading.' };
  expect(refs(toUsualOrder([advice('base', 'model'), ...runs, loading]))).toBe('x:failed x:a x:b x:late base');
});

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
    label: 'mixed',
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

it('goes from ascending to descending to the usual order, and starts again on another row', () => {
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
    label: '-odd',
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
  expect(parseOrder(AS_LISTED, rows)).toBeNull();
  expect([parseOrder('nothing', rows), parseOrder('-nothing', rows), parseOrder('-', rows)]).toEqual([
    null,
    null,
    null,
  ]);
});
