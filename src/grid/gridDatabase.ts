// Keeps grids in the browser's IndexedDB: a record for the setup, one for each settled cell. It must not know what they mean.
import { openDatabase, toPromise, writeAtOnce } from '../session/browserDatabase';

const NAME = 'studio.grids';
const GRIDS = 'grids';
const CELLS = 'cells';

/** Rejects where the browser allows no database. */
export const openGridDatabase = (): Promise<IDBDatabase> => openDatabase(NAME, [GRIDS, CELLS]);

function whole(grid: string): IDBKeyRange {
  return IDBKeyRange.bound([grid], [grid, []]);
}

const begin = (database: IDBDatabase, steps: (grids: IDBObjectStore, cells: IDBObjectStore) => void): Promise<void> =>
  writeAtOnce(database, [GRIDS, CELLS], (transaction) => steps(transaction.objectStore(GRIDS), transaction.objectStore(CELLS)));

export interface GridChanges {
  /** undefined: as it was. */
  readonly setup?: unknown;
  /** Cells by place; null removes one. */
  readonly cells: ReadonlyMap<number, unknown>;
}

/** All or nothing; rejects (QuotaExceededError) with nothing written. */
export const writeGrid = (database: IDBDatabase, key: string, { setup, cells: changes }: GridChanges): Promise<void> =>
  begin(database, (grids, cells) => {
    if (setup !== undefined) grids.put(setup, key);
    for (const [at, cell] of changes) {
      if (cell === null) cells.delete([key, at]);
      else cells.put(cell, [key, at]);
    }
  });

export const deleteGrid = (database: IDBDatabase, key: string): Promise<void> =>
  begin(database, (grids, cells) => {
    grids.delete(key);
    cells.delete(whole(key));
  });

/** The setup and the cells under a key; setup is undefined if there is none. */
export async function readGrid(database: IDBDatabase, key: string): Promise<{ readonly setup: unknown; readonly cells: readonly (readonly [number, unknown])[] }> {
  const transaction = database.transaction([GRIDS, CELLS]);
  const cells = transaction.objectStore(CELLS);
  const [setup, keys, values] = await Promise.all([
    toPromise<unknown>(transaction.objectStore(GRIDS).get(key)),
    toPromise(cells.getAllKeys(whole(key))),
    toPromise<unknown[]>(cells.getAll(whole(key))),
  ]);
  const places = keys.map((entry) => (Array.isArray(entry) && typeof entry[1] === 'number' ? entry[1] : -1));
  return { setup, cells: places.map((at, index) => [at, values[index]] as const).filter(([at]) => at >= 0) };
}

/** Keys and setups of all stored grids. */
export async function readGrids(database: IDBDatabase): Promise<readonly (readonly [string, unknown])[]> {
  const store = database.transaction([GRIDS]).objectStore(GRIDS);
  const [keys, values] = await Promise.all([toPromise(store.getAllKeys()), toPromise<unknown[]>(store.getAll())]);
  return keys.flatMap((key, index) => (typeof key === 'string' ? [[key, values[index]] as const] : []));
}
