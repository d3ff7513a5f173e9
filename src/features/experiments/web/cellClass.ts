// Width of a cell, and whether it is sticky at the left edge; the same in heads and rows.
import type { TableColumn } from './tableLayout.ts';

/**
 * Pinned cells become sticky only once the table is scrolled sideways: a few hundred sticky cells cost as much of every
 * frame as all the rest.
 */
const STICKY = 'group-data-scrolled/table:sticky z-10 print:static!';
const EDGE = 'group-data-scrolled/table:shadow-[6px_0_6px_-5px_var(--shade)]';

export const CHECK_CELL = `${STICKY} left-0 flex w-9 shrink-0 items-center justify-center print:hidden`;

export function toCellClass({ left, isLastPinned, isWide }: TableColumn): string {
  const sticky = left === null ? '' : `${STICKY} ${isLastPinned ? EDGE : ''}`;
  return `${sticky} ${isWide ? 'grow' : ''} shrink-0 print:table-cell print:w-auto!`;
}

export const toCellStyle = ({ column, left }: TableColumn): { readonly width: number; readonly left?: number } =>
  left === null ? { width: column.width } : { width: column.width, left };
