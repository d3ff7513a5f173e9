// What a key on a row of the table does (WAI-ARIA grid, focus on rows). Pure.
import type { ViewRow } from '#features/experiments/web/rows/viewRows.ts';

export type TableAction =
  | { readonly kind: 'move'; readonly to: number }
  /** `isSpan`: all rows from the last toggled one to this one. */
  | { readonly kind: 'toggle'; readonly isSpan: boolean }
  /** Selects the row and the row that the focus moves to. */
  | { readonly kind: 'extend'; readonly to: number }
  /** Moves the focus to the heads, above the first row. */
  | { readonly kind: 'head' }
  | { readonly kind: 'open' }
  | { readonly kind: 'fold'; readonly key: string }
  | { readonly kind: 'none' };

interface TableKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly rows: readonly ViewRow[];
  readonly active: number;
  /** Rows that fit on screen. */
  readonly page: number;
}

const NONE: TableAction = { kind: 'none' };

export function toTableAction({ key, shiftKey, rows, active, page }: TableKey): TableAction {
  const last = rows.length - 1;
  const row = rows[active];
  if (!row) return NONE;
  const move = (to: number): TableAction => ({ kind: 'move', to: Math.min(last, Math.max(0, to)) });
  const extend = (to: number): TableAction => ({ kind: 'extend', to: Math.min(last, Math.max(0, to)) });
  switch (key) {
    case 'ArrowDown':
      return shiftKey ? extend(active + 1) : move(active + 1);
    case 'ArrowUp':
      if (shiftKey) return extend(active - 1);
      return active === 0 ? { kind: 'head' } : move(active - 1);
    case 'PageDown':
      return move(active + Math.max(1, page - 1));
    case 'PageUp':
      return move(active - Math.max(1, page - 1));
    case 'Home':
      return move(0);
    case 'End':
      return move(last);
    case ' ':
      return row.kind === 'experiment' ? { kind: 'toggle', isSpan: shiftKey } : { kind: 'fold', key: row.key };
    case 'Enter':
      return row.kind === 'experiment' ? { kind: 'open' } : { kind: 'fold', key: row.key };
    case 'ArrowRight':
      return row.kind === 'group' && !row.isOpen ? { kind: 'fold', key: row.key } : NONE;
    case 'ArrowLeft':
      return row.kind === 'group' && row.isOpen ? { kind: 'fold', key: row.key } : NONE;
    default:
      return NONE;
  }
}
