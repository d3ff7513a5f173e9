import { describe, expect, it } from 'vitest';
import { collapsedState, setOpen } from './openState.ts';
import { TEST_TREE } from './tree.fixture.ts';
import { toTreeIndex } from './treeIndex.ts';
import { toTreeAction } from './treeKeys.ts';
import { toTreeRows } from './treeRows.ts';

const index = toTreeIndex(TEST_TREE);
// v p / > d1 / v d2 / > s2 / - d3
const rows = toTreeRows(index, setOpen(collapsedState(index), ['d2'], true), null);
const press = (key: string, active: number) => toTreeAction({ key, rows, active, page: 3 });

describe('toTreeAction', () => {
  it.each([
    ['ArrowDown', 1, { kind: 'move', to: 2 }],
    ['ArrowDown', 4, { kind: 'move', to: 4 }],
    ['ArrowUp', 0, { kind: 'move', to: 0 }],
    ['Home', 3, { kind: 'move', to: 0 }],
    ['End', 0, { kind: 'move', to: 4 }],
    ['PageDown', 0, { kind: 'move', to: 3 }],
    ['PageUp', 4, { kind: 'move', to: 1 }],
    ['ArrowRight', 1, { kind: 'open', row: 1 }],
    ['ArrowRight', 2, { kind: 'move', to: 3 }],
    ['ArrowRight', 4, { kind: 'none' }],
    ['ArrowLeft', 2, { kind: 'close', row: 2 }],
    ['ArrowLeft', 3, { kind: 'move', to: 2 }],
    ['ArrowLeft', 4, { kind: 'move', to: 0 }],
    ['Enter', 3, { kind: 'select', row: 3 }],
    [' ', 3, { kind: 'select', row: 3 }],
    ['*', 1, { kind: 'open-siblings', row: 1 }],
    ['x', 1, { kind: 'none' }],
  ])('%s on row %i', (key, active, action) => {
    expect(press(key, active)).toEqual(action);
  });

  it('does nothing without rows', () => {
    for (const key of ['ArrowDown', 'Home', 'ArrowLeft', 'Enter', '*']) {
      expect(
        toTreeAction({ key, rows: { ...rows, places: rows.places.slice(0, 0), count: 0 }, active: -1, page: 3 }),
      ).toEqual({ kind: 'none' });
    }
  });
});
