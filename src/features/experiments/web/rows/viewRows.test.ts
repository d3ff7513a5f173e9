import { expect, it } from 'vitest';
import { toTestRow } from './rows.fixture.ts';
import { toFlatRows, toGroupFacts, toSpan, toViewRows } from './viewRows.ts';

const rows = [toTestRow('a', { last_loss: 0.5 }), toTestRow('b', { last_loss: 0.1, status: 'failed' }), toTestRow('c')];

it('counts the experiments of a group and the succeeded ones, and has the range of losses', () => {
  expect(toGroupFacts(rows)).toEqual({ count: 3, succeeded: 2, last_loss: { min: 0.1, max: 0.5 }, spread: null });
  expect(toGroupFacts([toTestRow('c')]).last_loss).toBeNull();
});

it('puts each group before its rows, and hides the rows of a closed one', () => {
  const groups = [
    { key: 'x', id: null, value: 'X', rows: rows.slice(0, 2) },
    { key: 'y', id: null, value: null, rows: rows.slice(2) },
  ];
  expect(toViewRows(groups, { toggled: new Set() }).map(({ key }) => key)).toEqual(['x', 'a', 'b', 'y', 'c']);
  const closed = toViewRows(groups, { toggled: new Set(['x']) });
  expect(closed.map(({ key }) => key)).toEqual(['x', 'y', 'c']);
  expect(closed[0]).toMatchObject({ isOpen: false, facts: { count: 2 } });
  expect(closed.map((entry) => (entry.kind === 'group' ? entry.name : null))).toEqual(['X', null, null]);
  const twins = toViewRows(
    [
      { key: 'x', id: 'j1', value: 'X', rows: [rows[0]!] },
      { key: 'y', id: 'j2', value: 'X', rows: [{ ...rows[2]!, dataset: 'Other' }] },
    ],
    { toggled: new Set(['x', 'y']) },
  );
  expect(twins).toMatchObject([
    { value: 'X', name: 'X · Dataset' },
    { value: 'X', name: 'X · Other' },
  ]);
  expect(toFlatRows(rows).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
});

it('folds a group into one line until it is opened, and leaves a single run alone', () => {
  const groups = [
    { key: 'x', id: null, value: 'X', rows: rows.slice(0, 2) },
    { key: 'y', id: null, value: 'Y', rows: rows.slice(2) },
  ];
  const keysOf = (toggled: readonly string[]) =>
    toViewRows(groups, { toggled: new Set(toggled), isFolded: true }).map((row) =>
      row.kind === 'group' ? row.key : `${row.key} ${row.isInGroup}`,
    );
  expect(keysOf([])).toEqual(['x', 'c false']);
  expect(keysOf(['x'])).toEqual(['x', 'a true', 'b true', 'c false']);
});

it('spans in both directions', () => {
  expect(toSpan(['a', 'b', 'c', 'd'], 1, 2)).toEqual(['b', 'c']);
  expect(toSpan(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['b', 'c', 'd']);
  expect(toSpan(['a', 'b'], 1, 1)).toEqual(['b']);
});
