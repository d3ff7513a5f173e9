import { describe, expect, it } from 'vitest';
import { toTableAction } from './tableKeys.ts';
import { toTestRow } from '#features/experiments/web/rows/rows.fixture.ts';
import { toViewRows } from '#features/experiments/web/rows/viewRows.ts';

const rows = toViewRows(
  [{ key: 'g', id: null, value: 'G', rows: [toTestRow('a'), toTestRow('b'), toTestRow('c')] }],
  new Set(),
);
const press = (key: string, active: number, shiftKey = false) =>
  toTableAction({ key, shiftKey, rows, active, page: 3 });

describe('toTableAction', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 3, 3],
    ['ArrowUp', 1, 0],
    ['Home', 2, 0],
    ['End', 0, 3],
    ['PageDown', 0, 2],
    ['PageUp', 3, 1],
    ['PageUp', 1, 0],
  ])('%s from %i moves to %i', (key, active, to) => {
    expect(press(key, active)).toEqual({ kind: 'move', to });
  });

  it('extends the selection with Shift', () => {
    expect(press('ArrowDown', 1, true)).toEqual({ kind: 'extend', to: 2 });
    expect(press('ArrowUp', 2, true)).toEqual({ kind: 'extend', to: 1 });
    expect(press('ArrowDown', 3, true)).toEqual({ kind: 'extend', to: 3 });
    expect(press('ArrowUp', 0, true)).toEqual({ kind: 'extend', to: 0 });
  });

  it('goes from the first row to the heads', () => {
    expect(press('ArrowUp', 0)).toEqual({ kind: 'head' });
  });

  it('selects and opens experiments, folds groups', () => {
    expect(press(' ', 1)).toEqual({ kind: 'toggle', isSpan: false });
    expect(press(' ', 1, true)).toEqual({ kind: 'toggle', isSpan: true });
    expect(press('Enter', 2)).toEqual({ kind: 'open' });
    for (const key of [' ', 'Enter', 'ArrowLeft']) expect(press(key, 0)).toEqual({ kind: 'fold', key: 'g' });
    expect(press('ArrowRight', 0)).toEqual({ kind: 'none' });
    const closed = toViewRows([{ key: 'g', id: null, value: 'G', rows: [] }], new Set(['g']));
    expect(toTableAction({ key: 'ArrowRight', shiftKey: false, rows: closed, active: 0, page: 3 })).toEqual({
      kind: 'fold',
      key: 'g',
    });
  });

  it('leaves other keys to the browser', () => {
    for (const key of ['Tab', 'x', 'Escape', 'ArrowLeft']) expect(press(key, 1)).toEqual({ kind: 'none' });
    expect(toTableAction({ key: 'End', shiftKey: false, rows: [], active: 0, page: 3 })).toEqual({ kind: 'none' });
  });
});
