// Which row the keyboard is on. Pure.
import { ancestorPlaces, type TreeIndex } from './treeIndex';
import type { ViewRow } from './treeRows';

/**
 * Index of the row with the key, else of its nearest ancestor on show (its branch was closed), else the first;
 * -1 when there are no rows.
 */
export function findActiveRow(rows: readonly ViewRow[], index: TreeIndex, key: string | null): number {
  if (rows.length === 0) return -1;
  const exact = key === null ? -1 : rows.findIndex((row) => row.id === key);
  if (exact >= 0) return exact;
  const at = key === null ? undefined : index.placeOf.get(key);
  if (at === undefined) return 0;
  const above = new Set(ancestorPlaces(index, at));
  return Math.max(0, rows.findLastIndex((row) => above.has(row.at)));
}
