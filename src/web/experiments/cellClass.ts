// How a cell of the table stands: its width, and whether it sticks to the left edge. The same for heads and rows.
import type { TableColumn } from './tableLayout.ts';

/**
 * Pinned cells stick only once the table is scrolled sideways: before that they stand there anyhow, and a few hundred
 * sticky cells cost as much of every frame as all the rest.
 */
const STUCK = 'group-data-scrolled/table:sticky z-10 print:static!';
const EDGE = 'group-data-scrolled/table:shadow-[6px_0_6px_-5px_var(--shade)]';

export const CHECK_CELL = `${STUCK} left-0 flex w-9 shrink-0 items-center justify-center print:hidden`;

export function toCellClass({ left, isLastPinned, isWide }: TableColumn): string {
  const stuck = left === null ? '' : `${STUCK} ${isLastPinned ? EDGE : ''}`;
  return `${stuck} ${isWide ? 'grow' : ''} shrink-0 print:table-cell print:w-auto!`;
}

export const toCellStyle = ({ column, left }: TableColumn): { readonly width: number; readonly left?: number } =>
  left === null ? { width: column.width } : { width: column.width, left };
