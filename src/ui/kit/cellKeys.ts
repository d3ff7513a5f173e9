// Moves by keys in a table of cells (WAI-ARIA grid). Pure.

export interface CellPlace {
  /** Index among the visible rows, from 0. */
  readonly row: number;
  readonly column: number;
}

interface CellSpan {
  readonly rows: number;
  readonly columns: number;
  /** -1 if the rows' names are left of the cells. Default: 0. */
  readonly firstColumn?: number;
  /** Rows that fit on screen; if absent, the page keys do nothing. */
  readonly page?: number;
}

/** The cell that a key moves to; null: the table doesn't handle the key. */
export function findNextCell(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: CellPlace,
  { rows, columns, firstColumn = 0, page }: CellSpan,
): CellPlace | null {
  const to = (nextRow: number, nextColumn: number): CellPlace => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(firstColumn, Math.min(columns - 1, nextColumn)),
  });
  const step = page === undefined ? null : Math.max(1, page - 1);
  switch (key) {
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'PageDown':
      return step === null ? null : to(row + step, column);
    case 'PageUp':
      return step === null ? null : to(row - step, column);
    case 'Home':
      // The row's name is left of the first cell: a second press moves there.
      return to(ctrlKey ? 0 : row, column > 0 ? 0 : firstColumn);
    case 'End':
      return to(ctrlKey ? rows - 1 : row, columns - 1);
    default:
      return null;
  }
}
