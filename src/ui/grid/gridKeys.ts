// Where a key leads in a table (WAI-ARIA grid, focus on rows or on cells). Pure.

export interface GridPlace {
  /** Index among the rows, from 0. */
  readonly row: number;
  /** 0 where rows have the focus. */
  readonly column: number;
}

interface GridSpan {
  readonly rows: number;
  /** null: rows have the focus. */
  readonly columns: number | null;
  /** -1 if the rows' names are left of the cells. */
  readonly firstColumn: number;
  /** Rows that fit on screen; 0: the page keys do nothing. */
  readonly page: number;
}

/** The place that a key leads to; null: the table doesn't handle the key. */
export function findNextPlace(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: GridPlace,
  { rows, columns, firstColumn, page }: GridSpan,
): GridPlace | null {
  const to = (nextRow: number, nextColumn = column): GridPlace => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(firstColumn, Math.min((columns ?? 1) - 1, nextColumn)),
  });
  const isRows = columns === null;
  // In a browser these change the tab.
  const isPaged = page > 0 && !ctrlKey;
  const step = Math.max(1, page - 1);
  switch (key) {
    case 'ArrowDown':
      return to(row + 1);
    case 'ArrowUp':
      return to(row - 1);
    case 'ArrowRight':
      return isRows ? null : to(row, column + 1);
    case 'ArrowLeft':
      return isRows ? null : to(row, column - 1);
    case 'PageDown':
      return isPaged ? to(row + step) : null;
    case 'PageUp':
      return isPaged ? to(row - step) : null;
    case 'Home':
      // The row's name is left of the first cell: a second press moves there.
      return to(isRows || ctrlKey ? 0 : row, column > 0 ? 0 : firstColumn);
    case 'End':
      return to(isRows || ctrlKey ? rows - 1 : row, (columns ?? 1) - 1);
    default:
      return null;
  }
}
