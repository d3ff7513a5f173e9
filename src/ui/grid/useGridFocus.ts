// Keys, clicks and focus of a table: one row or cell is in the tab order, and keys move it. Rows are marked by
// `toRowProps`, cells by `toCellProps`; the table's body has the handlers, so rows can stay memoised.
import { useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { findNextPlace, type GridPlace } from './gridKeys.ts';

/** What tells rows or columns apart wherever they stand; a number: how many there are, each known by its place. */
export type GridKeys = number | readonly string[];

const countOf = (keys: GridKeys): number => (typeof keys === 'number' ? keys : keys.length);
const keyAt = (keys: GridKeys, at: number): string => (typeof keys === 'number' ? String(at) : (keys[at] ?? ''));

/** Where the key stands now. If it has left, its last place is taken. Before the first one are names, which have no key. */
function findKey(keys: GridKeys, key: string, last: number): number {
  if (last < 0 || keyAt(keys, last) === key) return Math.min(last, countOf(keys) - 1);
  const found = typeof keys === 'number' ? -1 : keys.indexOf(key);
  return found >= 0 ? found : Math.min(last, Math.max(0, countOf(keys) - 1));
}

export const toRowProps = (row: number, isActive: boolean) =>
  ({ 'data-place': row, 'aria-rowindex': row + 2, tabIndex: isActive ? 0 : -1 }) as const;

/** `first`: the number of cells left of the first column. */
export const toCellProps = (row: number, column: number, active: GridPlace, first = 0) =>
  ({
    'data-cell': `${row}:${column}`,
    'aria-colindex': column + first + 1,
    tabIndex: active.row === row && active.column === column ? 0 : -1,
  }) as const;

/** The row or cell that holds an element; null: none. */
export function findGridPlace(target: EventTarget): GridPlace | null {
  if (!(target instanceof Element)) return null;
  const cell = target.closest<HTMLElement>('[data-cell]')?.dataset['cell']?.split(':').map(Number);
  if (cell) return { row: cell[0] ?? 0, column: cell[1] ?? 0 };
  const row = target.closest<HTMLElement>('[data-place]')?.dataset['place'];
  return row === undefined ? null : { row: Number(row), column: 0 };
}

interface GridFocusInput {
  readonly box: HTMLElement | null;
  readonly rows: GridKeys;
  /** null: rows have the focus instead of cells. */
  readonly columns: GridKeys | null;
  /** -1 if the rows' names are left of the cells. */
  readonly firstColumn?: number;
  /** Rows that fit on screen. */
  readonly page?: () => number;
  /** Scrolls a row into view that may not be drawn. */
  readonly onShow?: (row: number) => void;
  /** A key on a row or cell, or on a control inside one. True: it is handled. */
  readonly onKey?: (event: KeyboardEvent, at: GridPlace) => boolean;
  /** A click on a row, a cell, or a control inside. */
  readonly onPress?: (event: MouseEvent, at: GridPlace) => void;
  /** Shift and an arrow: chooses both rows. */
  readonly onExtend?: (from: number, to: number) => void;
}

interface GridFocus {
  readonly active: GridPlace;
  /** Somebody has focused or clicked a row or cell. */
  readonly isUsed: boolean;
  /** For the table. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** For the table's body. */
  readonly body: {
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: () => void;
    readonly onClick: (event: MouseEvent) => void;
  };
}

const toSelector = ({ row, column }: GridPlace, isRows: boolean): string =>
  isRows ? `[data-place="${row}"]` : `[data-cell="${row}:${column}"]`;

export function useGridFocus(input: GridFocusInput): GridFocus {
  const { box, rows, columns, firstColumn = 0, page, onShow, onKey, onPress, onExtend } = input;
  const isRows = columns === null;
  const [focused, setFocused] = useState<{
    readonly row: string;
    readonly column: string;
    readonly place: GridPlace;
  }>();
  const isMoving = useRef(false);
  const holdsFocus = useRef(false);
  const last = focused?.place ?? { row: 0, column: firstColumn };
  const row = findKey(rows, focused?.row ?? '', last.row);
  const column = isRows ? 0 : findKey(columns, focused?.column ?? '', last.column);
  const focusAt = (place: GridPlace): void =>
    setFocused({ row: keyAt(rows, place.row), column: keyAt(columns ?? 1, place.column), place });
  const moveTo = (place: GridPlace): void => {
    // Where nothing moves, a later change of rows would take the focus.
    if (place.row === row && place.column === column && holdsFocus.current) return;
    isMoving.current = true;
    focusAt(place);
    onShow?.(place.row);
  };

  // After a key, or after rows or columns changed places: an element that is made anew elsewhere has lost the focus.
  useLayoutEffect(() => {
    const isLost = holdsFocus.current && document.activeElement === document.body;
    if (!isMoving.current && !isLost) return;
    isMoving.current = false;
    const element = box?.querySelector<HTMLElement>(toSelector({ row, column }, isRows));
    element?.focus({ preventScroll: true });
    // The box of a row may itself hang out of the page.
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  return {
    active: { row, column },
    isUsed: focused !== undefined,
    onKeyDown: (event) => {
      if (event.altKey || event.metaKey || countOf(rows) === 0) return;
      const at = findGridPlace(event.target);
      if (at === null) {
        const isHead = event.target instanceof Element && event.target.closest('thead') !== null;
        if (!isHead || event.key !== 'ArrowDown' || event.ctrlKey) return;
        event.preventDefault();
        return moveTo({ row: 0, column });
      }
      // On a control inside, Space and Enter belong to that control.
      const isInside = event.target instanceof Element && !event.target.matches('[data-cell], [data-place]');
      if (isInside && (event.key === ' ' || event.key === 'Enter')) return undefined;
      if (onKey?.(event, at)) return event.preventDefault();
      const next = findNextPlace(event, at, {
        rows: countOf(rows),
        columns: isRows ? null : countOf(columns),
        firstColumn,
        page: page?.() ?? 0,
      });
      if (next === null) return undefined;
      event.preventDefault();
      if (event.key === 'ArrowUp' && at.row === 0 && !event.shiftKey)
        return box?.querySelector<HTMLElement>('thead [tabindex="0"]')?.focus();
      if (event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) onExtend?.(at.row, next.row);
      return moveTo(next);
    },
    body: {
      onFocus: ({ target }) => {
        const place = findGridPlace(target);
        if (place === null) return;
        holdsFocus.current = true;
        if (!focused || place.row !== row || place.column !== column) focusAt(place);
      },
      // React tells nothing of a blur that its own changes cause.
      onBlur: () => {
        holdsFocus.current = false;
      },
      onClick: (event) => {
        const place = findGridPlace(event.target);
        if (place === null) return;
        focusAt(place);
        onPress?.(event, place);
      },
    },
  };
}
