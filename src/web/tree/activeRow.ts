// Which row the keyboard is on. Pure.
import { rowOfKey, type TreeRows } from '#web/tree/index/treeRows.ts';

/**
 * Number of the row with the key, else of its nearest ancestor on show (its branch was closed), else the first;
 * -1 when there are no rows.
 */
export function findActiveRow(rows: TreeRows, key: string | null): number {
  if (rows.count === 0) return -1;
  return Math.max(0, key === null ? 0 : rowOfKey(rows, key));
}
