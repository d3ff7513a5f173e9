// Which of the grids in this browser a tab goes on with, and what becomes of others: one that can't be opened is put aside,
// old ones that hold nothing are removed. It must not know the grid on show.
import { makeId } from '../session/makeId';
import { TabClaims } from '../session/tabClaims';
import { deleteGrid, readGrid, readGrids, writeGrid } from './gridDatabase';
import { parseGridRecord } from './gridRecords';

/** Empty grids are kept as long as there are no more than these. */
const MAX_GRIDS = 12;
/** In the keys of grids that were put aside. */
const ASIDE = '.aside.';

const claims = new TabClaims('studio.grid');

export interface FoundGrid {
  readonly database: IDBDatabase;
  /** What this tab writes to. */
  readonly id: string;
  /** What it starts from. */
  readonly from: string;
  readonly record: unknown;
  readonly cells: readonly (readonly [number, unknown])[];
  /** The older of too many grids. */
  readonly surplus: readonly string[];
}

/** The grid that this tab goes on with. Rejects where something that is stored can't be read. */
export async function findGrid(database: IDBDatabase): Promise<FoundGrid> {
  const grids = await readGrids(database);
  const saved = grids.flatMap(([key, record]) => {
    const grid = key.includes(ASIDE) ? null : parseGridRecord(record);
    return grid ? [{ key, at: grid.savedAt }] : [];
  });
  saved.sort((a, b) => b.at - a.at);
  const { id, from } = await claims.claim(saved.map(({ key }) => key), makeId);
  const { setup: record, cells } = await readGrid(database, from);
  return { database, id, from, record, cells, surplus: saved.slice(MAX_GRIDS).flatMap(({ key }) => (key === id || key === from ? [] : key)) };
}

/** What can't be opened is kept under a key that no tab takes; another tab's stays where it is. */
export async function setAside({ database, id, from, record, cells }: FoundGrid): Promise<void> {
  if (from !== id) return;
  await writeGrid(database, `${from}${ASIDE}${Date.now()}`, { setup: record, cells: new Map(cells) });
  await deleteGrid(database, from);
}

/** Removes grids that hold nothing and that no tab has open; whatever has rows or answers stays. */
export async function removeEmpty(database: IDBDatabase, keys: readonly string[]): Promise<void> {
  const remove = async (key: string): Promise<void> => {
    const { setup, cells } = await readGrid(database, key);
    if (cells.length === 0 && parseGridRecord(setup)?.setup.rows.length === 0) await deleteGrid(database, key);
  };
  try {
    for (const key of keys) await claims.ifUnclaimed(key, () => remove(key));
  } catch {
    // Nothing is lost: the next start tries again.
  }
}
