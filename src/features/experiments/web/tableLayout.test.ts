import { expect, it } from 'vitest';
import { toColumns } from '#features/experiments/web/rows/columns.ts';
import { CHECK_WIDTH, toTableHeight, toTableLayout, toRowPlaces } from './tableLayout.ts';

it('places pinned columns side by side, and gives the last column the spare room', () => {
  const [label, status, job] = toColumns([]);
  const { columns, minWidth, pinnedWidth } = toTableLayout([label!, status!, job!], 2);
  expect(columns.map(({ left }) => left)).toEqual([CHECK_WIDTH, CHECK_WIDTH + label!.width, null]);
  expect(columns.map(({ isLastPinned }) => isLastPinned)).toEqual([false, true, false]);
  expect(columns.map(({ isWide }) => isWide)).toEqual([false, false, true]);
  expect(minWidth).toBe(CHECK_WIDTH + label!.width + status!.width + job!.width);
  expect(pinnedWidth).toBe(CHECK_WIDTH + label!.width + status!.width);
  expect(toTableLayout([label!], 0).columns[0]?.left).toBeNull();
});

it('makes the box no higher than its rows', () => {
  expect(toTableHeight(2).maxHeight).toBeLessThan(150);
  expect(toTableHeight(2).minHeight).toBe(toTableHeight(2).maxHeight);
  expect(toTableHeight(1000).minHeight).toBeLessThan(toTableHeight(1000).maxHeight);
});

it('detaches the active row from the run only where it is away from it', () => {
  expect(toRowPlaces([3, 4, 5], 4)).toEqual({ run: [3, 4, 5], detached: null });
  expect(toRowPlaces([3, 4, 5], 3)).toEqual({ run: [3, 4, 5], detached: null });
  expect(toRowPlaces([3, 4, 5], 5)).toEqual({ run: [3, 4, 5], detached: null });
  expect(toRowPlaces([0, 30, 31], 0)).toEqual({ run: [30, 31], detached: 0 });
  expect(toRowPlaces([30, 31, 90], 90)).toEqual({ run: [30, 31], detached: 90 });
  expect(toRowPlaces([3, 4], 90)).toEqual({ run: [3, 4], detached: null });
  expect(toRowPlaces([7], 7)).toEqual({ run: [7], detached: null });
  expect(toRowPlaces([], 0)).toEqual({ run: [], detached: null });
});
