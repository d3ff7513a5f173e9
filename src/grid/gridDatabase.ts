// Keeps grids in the browser's IndexedDB: a record for the setup, one for each settled cell. It must not know what they mean.

const NAME = 'studio.grids';
const GRIDS = 'grids';
const CELLS = 'cells';

function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database gave no reason.')));
  });
}

/** Rejects where the browser allows no database. */
export function openGridDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(GRIDS);
      request.result.createObjectStore(CELLS);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database could not be opened.')));
    request.addEventListener('blocked', () => reject(new Error('Another tab holds an older version of the database open.')));
  });
}

function whole(grid: string): IDBKeyRange {
  return IDBKeyRange.bound([grid], [grid, []]);
}

function begin(database: IDBDatabase, steps: (grids: IDBObjectStore, cells: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([GRIDS, CELLS], 'readwrite', { durability: 'relaxed' });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The database undid the write.')));
    steps(transaction.objectStore(GRIDS), transaction.objectStore(CELLS));
    // Does not wait for this script to become idle, so that a write still gets out while the page is being closed.
    transaction.commit();
  });
}

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
