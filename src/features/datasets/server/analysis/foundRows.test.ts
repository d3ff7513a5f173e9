import { expect, it } from 'vitest';
import { toGroups } from './foundRows.ts';

it('rows that name each other are one group', () => {
  const rows = [
    { id: 3, other: 7 },
    { id: 7, other: 3 },
    { id: 9, other: 3 },
    { id: 1, other: 2 },
    { id: 2, other: 1 },
  ];
  expect(toGroups(rows)).toEqual([
    [3, 7, 9],
    [1, 2],
  ]);
});

it('groups that a later row joins are one', () =>
  expect(
    toGroups([
      { id: 1, other: 2 },
      { id: 3, other: 4 },
      { id: 2, other: 3 },
    ]),
  ).toEqual([[1, 2, 3, 4]]));
