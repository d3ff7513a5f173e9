import { expect, it } from 'vitest';
import { toLossSeries } from './lossSeries.ts';
import { toTestRow } from './rows.fixture.ts';

const rows = Array.from({ length: 12 }, (_, n) =>
  toTestRow(`r${n}`, { losses: n === 0 ? [] : [{ step: 0, loss: n }] }),
);
const ids = (list: readonly { readonly id: string }[]): string => list.map(({ id }) => id).join(' ');
const isEven = ({ id }: { readonly id: string }): boolean => Number(id.slice(1)) % 2 === 0;

it('draws the selected ones in their colours, else the first that have losses', () => {
  const first = toLossSeries(rows, new Map());
  expect(ids(first.rows)).toBe('r1 r2 r3 r4 r5 r6 r7 r8');
  expect(first.seriesOf(rows[3]!)).toBe(2);
  expect(first.note).toBe('The first 8 of 11 runs with losses; select runs to see theirs.');
  const chosen = toLossSeries(
    rows,
    new Map([
      ['r0', 0],
      ['r9', 1],
    ]),
  );
  expect(ids(chosen.rows)).toBe('r9');
  expect(chosen.seriesOf(rows[9]!)).toBe(1);
  expect(chosen.note).toBe('The selected runs.');
});

it('says when more are selected than drawn', () => {
  expect(toLossSeries(rows, new Map(rows.map(({ id }, place) => [id, place]))).note).toBe(
    'The first 8 of 11 selected runs with losses.',
  );
  expect(toLossSeries(rows.slice(0, 1), new Map())).toMatchObject({ rows: [], note: null });
  expect(toLossSeries(rows.slice(0, 5), new Map()).note).toBeNull();
});

it('leaves out experiments outside the filters, selected or not, and says so', () => {
  const even = toLossSeries(rows, new Map(), isEven);
  expect(ids(even.rows)).toBe('r2 r4 r6 r8 r10');
  expect(even.note).toBe('5 of 11 runs with losses; 6 outside the filters are not drawn.');
  const some = toLossSeries(
    rows,
    new Map([
      ['r4', 0],
      ['r5', 1],
    ]),
    isEven,
  );
  expect(ids(some.rows)).toBe('r4');
  expect(some.note).toBe('1 of 2 selected runs with losses; 1 outside the filters is not drawn.');
  expect(ids(toLossSeries(rows, new Map([['r5', 1]]), isEven).rows)).toBe('r2 r4 r6 r8 r10');
  const late = toLossSeries(rows, new Map(), ({ id }) => id !== 'r1');
  expect(ids(late.rows)).toBe('r2 r3 r4 r5 r6 r7 r8 r9');
  expect(late.note).toBe(
    'The first 8 of 10 runs with losses inside the filters; 1 outside the filters is not drawn; select ' +
      'runs to see theirs.',
  );
  expect(toLossSeries(rows, new Map(), () => false)).toMatchObject({
    rows: [],
    note: '0 of 11 runs with losses; 11 outside the filters are not drawn.',
  });
});
