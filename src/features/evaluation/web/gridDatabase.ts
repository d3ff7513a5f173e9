// Where grids are in IndexedDB: one record for the setup, one per settled cell, and one entry for the list of grids,
// which is read without rows.
import {
  keysFrom,
  openDatabase,
  readRecords,
  toPromise,
  type Database,
  type DatabaseEvents,
  type RecordRange,
  type StoredRecord,
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

/** All records of a grid. */
export const toWholeGrid = (id: string): readonly RecordRange[] => [
  [GRIDS, id],
  [ENTRIES, id],
  [CELLS, keysFrom(id)],
];

export interface StoredGridData {
  /** undefined: there is no such grid. */
  readonly setup?: unknown;
  readonly entry?: unknown;
  /** Cells by place; undefined: the cell is deleted. */
  readonly cells?: readonly (readonly [number, unknown])[];
}

/** The records of what is given. */
export const toGridRecords = (id: string, { setup, entry, cells = [] }: StoredGridData): readonly StoredRecord[] => [
  ...(setup === undefined ? [] : [[GRIDS, id, setup] as const]),
  ...(entry === undefined ? [] : [[ENTRIES, id, entry] as const]),
  ...cells.map(([at, cell]) => [CELLS, [id, at], cell] as const),
];

export const readGrid = async (database: Database, id: string): Promise<Required<StoredGridData>> =>
  toGridData(await readRecords(database, toWholeGrid(id)));

export function toGridData(records: readonly StoredRecord[]): Required<StoredGridData> {
  const read = (name: string): unknown => records.find(([store]) => store === name)?.[2];
  const cells = records.flatMap(([store, key, cell]) =>
    store === CELLS && typeof key[1] === 'number' ? [[key[1], cell] as const] : [],
  );
  return { setup: read(GRIDS), entry: read(ENTRIES), cells };
}

/** The entries of all stored grids; undefined for a grid without an entry. Reads no rows. */
export async function readEntries(database: Database): Promise<ReadonlyMap<string, unknown>> {
  const transaction = database.transaction([GRIDS, ENTRIES]);
  const entries = transaction.objectStore(ENTRIES);
  const [all, keys, values] = await Promise.all([
    toPromise(transaction.objectStore(GRIDS).getAllKeys()),
    toPromise(entries.getAllKeys()),
    toPromise<unknown[]>(entries.getAll()),
  ]);
  const known = new Map(keys.map((key, at) => [key, values[at]]));
  return new Map(all.flatMap((key) => (typeof key === 'string' ? [[key, known.get(key)] as const] : [])));
}
