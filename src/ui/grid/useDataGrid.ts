// A table of many rows of one height: only those near the view are drawn, keys move between rows or cells, and the box
// stands where it stood when its tab is opened again. `GridRows` draws the rows.
import { useState, type CSSProperties } from 'react';
import { findKeptTop, useKeptScroll } from '#ui/kit/useKeptScroll.ts';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import type { GridPlace } from './gridKeys.ts';
import { findGridPlace, useGridFocus, type GridKeys } from './useGridFocus.ts';
import { useScrollWindow } from './useScrollWindow.ts';

type FocusInput = Parameters<typeof useGridFocus>[0];

interface DataGridInput extends Pick<FocusInput, 'rows' | 'onKey' | 'onPress' | 'onExtend'> {
  /** null or left out: rows have the focus instead of cells. */
  readonly columns?: GridKeys | null;
  /** Pixels. */
  readonly rowHeight: number;
  readonly headHeight: number;
  /** The scroll position is kept under this key; null: it is not. */
  readonly scrollKey?: string | null;
}

export interface DataGrid {
  readonly active: GridPlace;
  /** The drawn rows: from the first to before the second. */
  readonly range: readonly [number, number];
  /** Rows as `GridRows` draws them. */
  readonly slots: readonly { readonly key: string; readonly item: number; readonly gap: number }[];
  readonly after: number;
  /** Rows that don't fit on the paper; 0 on screen. */
  readonly unprinted: number;
  /** For the scrolling box. */
  readonly setBox: (element: HTMLElement | null) => void;
  readonly boxStyle: CSSProperties;
  /** For the table, which has a name and the number of its columns. */
  readonly table: {
    readonly role: 'grid';
    readonly 'aria-rowcount': number;
    readonly onKeyDown: ReturnType<typeof useGridFocus>['onKeyDown'];
  };
  /** For the table's body. */
  readonly body: ReturnType<typeof useGridFocus>['body'];
}

const PRINTED_ROWS = 500;

export function useDataGrid({
  rows,
  columns = null,
  rowHeight,
  headHeight,
  scrollKey = null,
  ...on
}: DataGridInput): DataGrid {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const isPrinting = usePrinting();
  useKeptScroll(scrollKey === null ? null : box, scrollKey ?? '');
  const count = typeof rows === 'number' ? rows : rows.length;
  const { active, body, onKeyDown } = useGridFocus({
    box,
    rows,
    columns,
    page: () => Math.floor(((box?.clientHeight ?? 0) - headHeight) / rowHeight),
    onShow: (row) => near.show(row),
    ...on,
  });
  const near = useScrollWindow({
    box,
    count,
    size: rowHeight,
    before: headHeight,
    start: scrollKey === null ? 0 : findKeptTop(scrollKey),
    kept: active.row,
  });
  const { slots, after } = isPrinting
    ? { slots: Array.from({ length: Math.min(count, PRINTED_ROWS) }, (_, item) => ({ item, gap: 0 })), after: 0 }
    : near;
  return {
    active,
    range: [near.from, near.to],
    slots: slots.map(({ item, gap }) => ({
      item,
      gap,
      key: typeof rows === 'number' ? String(item) : (rows[item] ?? ''),
    })),
    after,
    unprinted: isPrinting ? Math.max(0, count - PRINTED_ROWS) : 0,
    // The browser would move the box when the room of rows that are not drawn changes.
    setBox,
    boxStyle: { scrollPaddingTop: headHeight, overflowAnchor: 'none' },
    table: { role: 'grid', 'aria-rowcount': count + 1, onKeyDown },
    body: {
      ...body,
      onFocus: (event) => {
        body.onFocus(event);
        const at = findGridPlace(event.target);
        // The row with the focus is drawn wherever the table is scrolled.
        if (at && (at.row < near.from || at.row >= near.to)) near.show(at.row);
      },
    },
  };
}
