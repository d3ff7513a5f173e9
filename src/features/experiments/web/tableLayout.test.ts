import { expect, it } from 'vitest';
import { toColumns } from '#features/experiments/web/rows/columns.ts';
import { CHECK_WIDTH, toTableHeight, toTableLayout } from './tableLayout.ts';

it('places pinned columns side by side, and gives the last column the spare room', () => {
  const all = toColumns([]);
  const [label, star, tags] = all;
  const { columns, minWidth, pinnedWidth } = toTableLayout(all, ['label', 'star', 'tags'], ['label', 'tags']);
  expect(columns.map(({ column }) => column.id)).toEqual(['label', 'tags', 'star']);
  expect(columns.map(({ left }) => left)).toEqual([CHECK_WIDTH, CHECK_WIDTH + label!.width, null]);
  expect(columns.map(({ isLastPinned }) => isLastPinned)).toEqual([false, true, false]);
  expect(columns.map(({ isWide }) => isWide)).toEqual([false, false, true]);
  expect(minWidth).toBe(CHECK_WIDTH + label!.width + star!.width + tags!.width);
  expect(pinnedWidth).toBe(CHECK_WIDTH + label!.width + tags!.width);
  expect(toTableLayout(all, ['label'], []).columns[0]?.left).toBeNull();
});

it('makes the box no higher than its rows', () => {
  expect(toTableHeight(2).maxHeight).toBeLessThan(150);
  expect(toTableHeight(2).minHeight).toBe(toTableHeight(2).maxHeight);
  expect(toTableHeight(1000).minHeight).toBeLessThan(toTableHeight(1000).maxHeight);
});
