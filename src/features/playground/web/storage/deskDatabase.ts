// Reads and writes records of the playground in the browser's IndexedDB.
import {
  openDatabase,
  toPromise,
  writeAtOnce,
  type Database,
  type DatabaseEvents,
} from '#ui/storage/browserDatabase.ts';

const NAME = 'studio.playground';
const STORE = 'records';

/**
 * A record's key: its desk, then its kind, so the records of a desk are one range of keys. `aside`: data that could not
 * be read. `exchange`: the request and raw response of an answer. `mark`: which page wrote last, and how many writes it
 * had made. Training examples belong to no desk; they use `EXAMPLES`.
 */
export type RecordKey = readonly [
  desk: string,
  kind: 'desk' | 'turn' | 'aside' | 'example' | 'exchange' | 'mark',
  id: string,
];

export const EXAMPLES = 'examples';

export interface RecordChanges {
  readonly puts: readonly (readonly [RecordKey, unknown])[];
  readonly deletes: readonly RecordKey[];
}

/** Rejects if the browser allows no database, or if a newer studio has changed it. */
export const openDeskDatabase = (events: DatabaseEvents = {}): Promise<Database> =>
  openDatabase({ name: NAME, version: 1, upgrade: (database) => void database.createObjectStore(STORE) }, events);

const toKey = (key: RecordKey): IDBValidKey => [...key];

function openStore(database: Database): IDBObjectStore {
  return database.transaction(STORE).objectStore(STORE);
}

export function readRecord(database: Database, key: RecordKey): Promise<unknown> {
  return toPromise<unknown>(openStore(database).get(toKey(key)));
}

/** The main record of a desk; undefined if there is none. */
export function readStoredDesk(database: Database, desk: string): Promise<unknown> {
  return readRecord(database, [desk, 'desk', '']);
}

/** A desk's records of one kind. */
export function readKind(database: Database, desk: string, kind: RecordKey[1]): Promise<readonly unknown[]> {
  return toPromise<unknown[]>(openStore(database).getAll(IDBKeyRange.bound([desk, kind], [desk, kind, []])));
}

/** Ids of a desk's records of one kind. */
export async function readIds(database: Database, desk: string, kind: RecordKey[1]): Promise<readonly string[]> {
  const keys = await toPromise(openStore(database).getAllKeys(IDBKeyRange.bound([desk, kind], [desk, kind, []])));
  return keys.flatMap((key) => (Array.isArray(key) && typeof key[2] === 'string' ? [key[2]] : []));
}

/** The records of all turns of a desk. */
export function readStoredTurns(database: Database, desk: string): Promise<readonly unknown[]> {
  return readKind(database, desk, 'turn');
}

/** All records of a desk with their keys, so that a deletion can be undone. */
export async function readDeskRecords(
  database: Database,
  desk: string,
): Promise<readonly (readonly [RecordKey, unknown])[]> {
  const store = openStore(database);
  const range = IDBKeyRange.bound([desk], [desk, []]);
  const [keys, values] = await Promise.all([
    toPromise(store.getAllKeys(range)),
    toPromise<unknown[]>(store.getAll(range)),
  ]);
  return keys.map((key, index) => [key as unknown as RecordKey, values[index]] as const);
}

/** Ids of all stored desks. The cursor jumps from desk to desk and skips the keys of turns. */
export async function readDeskIds(database: Database): Promise<readonly string[]> {
  const ids: string[] = [];
  const store = openStore(database);
  return new Promise((resolve, reject) => {
    const request = store.openKeyCursor();
    request.addEventListener('error', () => reject(request.error ?? new Error('The database gave no reason.')));
    request.addEventListener('success', () => {
      const cursor = request.result;
      if (!cursor) return resolve(ids);
      const { key } = cursor;
      const [id, kind] = Array.isArray(key) ? key : [];
      if (typeof id !== 'string' || typeof kind !== 'string') return cursor.continue();
      if (kind === 'desk') ids.push(id);
      cursor.continue(kind < 'desk' ? [id, 'desk', ''] : [id, []]);
    });
  });
}

/** Writes all or nothing; on rejection (such as QuotaExceededError) nothing is written. */
export function writeRecords(database: Database, { puts, deletes }: RecordChanges): Promise<void> {
  return writeAtOnce(database, [STORE], (transaction) => {
    const store = transaction.objectStore(STORE);
    for (const [key, value] of puts) store.put(value, toKey(key));
    for (const key of deletes) store.delete(toKey(key));
  });
}

/** Removes a desk with all its records. */
export async function deleteDesk(database: Database, desk: string): Promise<void> {
  const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
  await toPromise(store.delete(IDBKeyRange.bound([desk], [desk, []])));
}
