// The action of a key in the tree (WAI-ARIA tree pattern). Pure: rows, place and time are arguments.
import { findRow, rowAt, type TreeRows, type ViewRow } from './treeRows.ts';

export type TreeAction =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'open'; readonly row: number }
  | { readonly kind: 'close'; readonly row: number }
  | { readonly kind: 'open-siblings'; readonly row: number }
  | { readonly kind: 'select'; readonly row: number }
  | { readonly kind: 'none' };

export interface TreeKeyInput {
  readonly key: string;
  readonly rows: TreeRows;
  /** Number of the active row; -1: none. */
  readonly active: number;
  /** Rows that fit into the view. */
  readonly page: number;
}

const NONE: TreeAction = { kind: 'none' };

function moveTo({ count }: TreeRows, to: number): TreeAction {
  return count === 0 ? NONE : { kind: 'move', to: Math.min(count - 1, Math.max(0, to)) };
}

function leftAction({ rows, active }: TreeKeyInput, row: ViewRow): TreeAction {
  if (row.isOpen) return { kind: 'close', row: active };
  const to = findRow(rows, rows.index.parent[row.at] ?? -1);
  return to < 0 ? NONE : { kind: 'move', to };
}

function rightAction({ active, rows }: TreeKeyInput, row: ViewRow): TreeAction {
  if (row.children === null) return NONE;
  return row.isOpen ? moveTo(rows, active + 1) : { kind: 'open', row: active };
}

/** The action of a navigation key; `none` for other keys. */
export function toTreeAction(input: TreeKeyInput): TreeAction {
  const { key, rows, active, page } = input;
  const row = rowAt(rows, active);
  switch (key) {
    case 'ArrowDown':
      return moveTo(rows, active + 1);
    case 'ArrowUp':
      return moveTo(rows, active - 1);
    case 'Home':
      return moveTo(rows, 0);
    case 'End':
      return moveTo(rows, rows.count - 1);
    case 'PageDown':
      return moveTo(rows, active + page);
    case 'PageUp':
      return moveTo(rows, active - page);
    case 'ArrowLeft':
      return row ? leftAction(input, row) : NONE;
    case 'ArrowRight':
      return row ? rightAction(input, row) : NONE;
    case 'Enter':
    case ' ':
      return row ? { kind: 'select', row: active } : NONE;
    case '*':
      return row ? { kind: 'open-siblings', row: active } : NONE;
    default:
      return NONE;
  }
}
