import { expect, it } from 'vitest';
import { toTestCandidate } from '#shared/training/candidate.fixture.ts';
import type { ReadyColumn } from './compareColumns.ts';
import { toComparedLosses } from './lossChoice.ts';

const column = (at: number, isTold = true): ReadyColumn => ({
  kind: 'ready',
  ref: `x:${at}`,
  series: at,
  candidate: toTestCandidate(`x:${at}`),
  losses: isTold ? [{ step: 0, loss: at }] : [],
  measured: null,
  created: null,
  gap: null,
});
const many = (count: number) => Array.from({ length: count }, (_, at) => column(at));
const NONE: ReadonlySet<string> = new Set();
const refs = (columns: readonly ReadyColumn[]) => columns.map(({ ref }) => ref).join(' ');
const choose = (count: number, isInside: (at: number) => boolean) =>
  toComparedLosses(many(count), new Set(many(count).flatMap(({ ref, series }) => (isInside(series) ? [] : [ref]))));

it('draws all that have losses, without a note', () => {
  const { columns, note } = toComparedLosses([column(0), column(1, false), column(2)], NONE);
  expect([refs(columns), note]).toEqual(['x:0 x:2', null]);
  expect(toComparedLosses(many(8), NONE).note).toBeNull();
});

it('draws the first ones inside the brush, not the first of all, with the colours of their columns', () => {
  const { columns, note } = choose(50, (at) => at >= 38);
  expect(refs(columns)).toBe('x:38 x:39 x:40 x:41 x:42 x:43 x:44 x:45');
  expect(columns[0]?.series).toBe(38);
  expect(note).toBe(
    'The first 8 of 12 runs with losses inside the selection; 38 outside it are not drawn. Remove some ' +
      'to see others.',
  );
});

it.each<[string, number, (at: number) => boolean, string]>([
  ['too many', 9, () => true, 'The first 8 of 9 runs with losses. Remove some to see others.'],
  ['a few inside', 9, (at) => at < 3, '3 runs with losses are inside the selection; 6 outside it are not drawn.'],
  [
    'one inside, one outside',
    2,
    (at) => at < 1,
    '1 run with losses is inside the selection; 1 outside it is not drawn.',
  ],
  ['none inside', 9, () => false, 'No run with losses is inside the selection: 9 outside it are not drawn.'],
])('says which ones are drawn: %s', (_case, count, isInside, note) => expect(choose(count, isInside).note).toBe(note));

it('says why there is no curve, whatever is brushed', () => {
  const withoutLosses = [column(0, false)];
  expect(toComparedLosses(withoutLosses, NONE)).toEqual({
    columns: [],
    note: expect.stringContaining('None of these has a loss curve'),
  });
  expect(toComparedLosses(withoutLosses, new Set(['x:0'])).note).toContain('None of these has a loss curve');
});
