// Keys on the grid's cells as where they lead (WAI-ARIA grid). Pure.

export interface GridPlace {
  /** Among the rows on show, from 0. */
  readonly row: number;
  readonly column: number;
}

interface GridSpan {
  readonly rows: number;
  readonly columns: number;
  /** Rows that fit on screen. */
  readonly page: number;
}

const clamp = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));

/** The place that a key leads to; null: the key is none of the grid's. */
export function findNextPlace(
  key: string,
  isCtrl: boolean,
  { row, column }: GridPlace,
  { rows, columns, page }: GridSpan,
): GridPlace | null {
  const to = (nextRow: number, nextColumn: number): GridPlace => ({
    row: clamp(nextRow, rows),
    column: clamp(nextColumn, columns),
  });
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
      return to(row + Math.max(1, page - 1), column);
    case 'PageUp':
      return to(row - Math.max(1, page - 1), column);
    case 'Home':
      return to(isCtrl ? 0 : row, 0);
    case 'End':
      return to(isCtrl ? rows - 1 : row, columns - 1);
    default:
      return null;
  }
}
