// Connects the drawn rows with the scroll position of the box around them. Keeps the top row in place when rows above
// it come or go. rowWindow has the arithmetic.
import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import {
  anchorRow,
  firstDrawn,
  scrollTopFor,
  scrollTopOf,
  toRowWindow,
  type Anchor,
  type RowWindow,
} from '#features/projects/web/treeIndex/rowWindow.ts';
import type { TreeRows } from '#features/projects/web/treeIndex/treeRows.ts';

interface RowWindowInput {
  readonly rows: TreeRows;
  /** The row with a key, or its substitute; -1: there is none. */
  readonly rowOfKey: (rows: TreeRows, key: string) => number;
  readonly filterKey: string;
  readonly active: number;
  readonly height: number;
}

interface ScrolledRows extends RowWindow {
  /** The ref of the scrolling box. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly showRow: (row: number) => void;
}

const FIRST_ROWS = 12;

export function useRowWindow({ rows, rowOfKey, filterKey, active, height }: RowWindowInput): ScrolledRows {
  const scroller = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  // The first rows render later: a full view of rows takes longer than a frame.
  const [isStarted, setStarted] = useState(false);
  useEffect(() => startTransition(() => setStarted(true)), []);
  const anchor = useRef<Anchor | null>(null);
  const latest = useRef(rows);
  const shown = useRef({ rows, filterKey });

  const onScroll = useCallback(() => {
    const { scrollTop } = scroller.current ?? { scrollTop: 0 };
    const row = anchorRow(scrollTop);
    const key = latest.current.index.keys[latest.current.places[row] ?? -1];
    anchor.current = key === undefined ? null : { key, past: scrollTop - scrollTopOf(row, 0) };
    setFirst(firstDrawn(scrollTop));
  }, []);

  const scrollTo = useCallback(
    (top: number) => {
      const box = scroller.current;
      if (box && box.scrollTop !== top) box.scrollTop = top;
      // The browser reports the scroll after the next paint, but the rows have to be there before.
      onScroll();
    },
    [onScroll],
  );

  const showRow = useCallback(
    (row: number) => {
      const box = scroller.current;
      if (box) scrollTo(scrollTopFor(row, box.scrollTop, box.clientHeight));
    },
    [scrollTo],
  );

  useLayoutEffect(() => {
    const last = shown.current;
    shown.current = { rows, filterKey };
    latest.current = rows;
    if (last.rows === rows) return;
    if (last.filterKey === filterKey) {
      const row = anchor.current ? rowOfKey(rows, anchor.current.key) : -1;
      scrollTo(anchor.current && row >= 0 ? scrollTopOf(row, anchor.current.past) : (scroller.current?.scrollTop ?? 0));
    } else {
      scrollTo(0);
      if (filterKey === '') showRow(active);
    }
  }, [rows, rowOfKey, filterKey, active, scrollTo, showRow]);

  const { from, to } = toRowWindow(first, height, rows.count);
  return { scroller, from, to: isStarted ? to : Math.min(to, from + FIRST_ROWS), onScroll, showRow };
}
