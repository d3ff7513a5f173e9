// Stores grids in IndexedDB: one record for the setup, one per settled cell, and one entry for the list of grids, which
// is read without rows.
import {
  openDatabase,
  toPromise,
  writeAtOnce,
  type Database,
  type DatabaseEvents,
} from '#ui/storage/browserDatabase.ts';

const NAME = 'studio.grids';
const GRIDS = 'grids';
const CELLS = 'cells';
/** Exists since version 2. Older grids get an entry when the list is read. */
const ENTRIES = 'entries';
const STORES = [GRIDS, CELLS, ENTRIES];

function upgrade(database: IDBDatabase, from: number): void {
  const added = from < 1 ? STORES : [ENTRIES];
  for (const store of added) database.createObjectStore(store);
}

/** Rejects if the browser forbids databases, or a newer studio has upgraded this one. */
export const openGridDatabase = (events: DatabaseEvents = {}): Promise<Database> =>
  openDatabase({ name: NAME, version: 2, upgrade }, events);

function whole(grid: string): IDBKeyRange {
  return IDBKeyRange.bound([grid], [grid, []]);
}

interface Stores {
  readonly grids: IDBObjectStore;
  readonly cells: IDBObjectStore;
  readonly entries: IDBObjectStore;
}

const toStores = (transaction: IDBTransaction): Stores => ({
  grids: transaction.objectStore(GRIDS),
  cells: transaction.objectStore(CELLS),
  entries: transaction.objectStore(ENTRIES),
});

const begin = (database: Database, steps: (stores: Stores) => void): Promise<void> =>
  writeAtOnce(database, STORES, (transaction) => steps(toStores(transaction)));

export interface GridChanges {
  /** undefined: unchanged. */
  readonly setup?: unknown;
  /** Cells by place; null removes a cell. */
  readonly cells: ReadonlyMap<number, unknown>;
  /** undefined: unchanged. */
  readonly entry?: unknown;
}

/** Writes everything or nothing. Rejects with QuotaExceededError when the storage is full. */
export const writeGrid = (
  database: Database,
  key: string,
  { setup, cells: changes, entry }: GridChanges,
): Promise<void> =>
  begin(database, ({ grids, cells, entries }) => {
    if (setup !== undefined) grids.put(setup, key);
    if (entry !== undefined) entries.put(entry, key);
    for (const [at, cell] of changes) {
      if (cell === null) cells.delete([key, at]);
      else cells.put(cell, [key, at]);
    }
  });

export const writeEntries = (database: Database, added: ReadonlyMap<string, unknown>): Promise<void> =>
  begin(database, ({ entries }) => {
    for (const [key, entry] of added) entries.put(entry, key);
  });

export const deleteGrid = (database: Database, key: string): Promise<void> =>
  begin(database, ({ grids, cells, entries }) => {
    grids.delete(key);
    entries.delete(key);
    cells.delete(whole(key));
  });

export interface StoredGridData {
  /** undefined: there is no such grid. */
  readonly setup: unknown;
  readonly cells: readonly (readonly [number, unknown])[];
  readonly entry: unknown;
}

/** Everything that is stored under a key. */
export async function readGrid(database: Database, key: string): Promise<StoredGridData> {
  const { grids, cells, entries } = toStores(database.transaction(STORES));
  const [setup, keys, values, entry] = await Promise.all([
    toPromise<unknown>(grids.get(key)),
    toPromise(cells.getAllKeys(whole(key))),
    toPromise<unknown[]>(cells.getAll(whole(key))),
    toPromise<unknown>(entries.get(key)),
  ]);
  const places = keys.map((place) => (Array.isArray(place) && typeof place[1] === 'number' ? place[1] : -1));
  return { setup, cells: places.map((at, index) => [at, values[index]] as const).filter(([at]) => at >= 0), entry };
}

/** The entries of all stored grids; undefined for a grid without an entry. Reads no rows. */
export async function readEntries(database: Database): Promise<ReadonlyMap<string, unknown>> {
  const { grids, entries } = toStores(database.transaction(STORES));
  const [all, keys, values] = await Promise.all([
    toPromise(grids.getAllKeys()),
    toPromise(entries.getAllKeys()),
    toPromise<unknown[]>(entries.getAll()),
  ]);
  const known = new Map(keys.map((key, at) => [key, values[at]]));
  return new Map(all.flatMap((key) => (typeof key === 'string' ? [[key, known.get(key)] as const] : [])));
}
