// Keeps records of the playground in the browser's IndexedDB. It must not know what the records mean.
import { openDatabase, toPromise, writeAtOnce } from '../session/browserDatabase';

const NAME = 'studio.playground';
const STORE = 'records';

/**
 * A record's key: the desk it belongs to, then what it is. A desk's records are one range of keys. `aside`: what could
 * not be read. `exchange`: what went over the wire for an answer. `mark`: who wrote last, and when in its order of writes.
 * Training examples belong to no desk: theirs is `EXAMPLES`.
 */
export type RecordKey = readonly [desk: string, kind: 'desk' | 'turn' | 'aside' | 'example' | 'exchange' | 'mark', id: string];

export const EXAMPLES = 'examples';

export interface RecordChanges {
  readonly puts: readonly (readonly [RecordKey, unknown])[];
  readonly deletes: readonly RecordKey[];
}

/** Rejects where the browser allows no database. */
export const openDeskDatabase = (): Promise<IDBDatabase> => openDatabase(NAME, [STORE]);

const toKey = (key: RecordKey): IDBValidKey => [...key];

function openStore(database: IDBDatabase): IDBObjectStore {
  return database.transaction(STORE).objectStore(STORE);
}

export function readRecord(database: IDBDatabase, key: RecordKey): Promise<unknown> {
  return toPromise<unknown>(openStore(database).get(toKey(key)));
}

/** A desk's own record; undefined if there is none. */
export function readStoredDesk(database: IDBDatabase, desk: string): Promise<unknown> {
  return readRecord(database, [desk, 'desk', '']);
}

/** A desk's records of one kind. */
export function readKind(database: IDBDatabase, desk: string, kind: RecordKey[1]): Promise<readonly unknown[]> {
  return toPromise<unknown[]>(openStore(database).getAll(IDBKeyRange.bound([desk, kind], [desk, kind, []])));
}

/** Ids of a desk's records of one kind. */
export async function readIds(database: IDBDatabase, desk: string, kind: RecordKey[1]): Promise<readonly string[]> {
  const keys = await toPromise(openStore(database).getAllKeys(IDBKeyRange.bound([desk, kind], [desk, kind, []])));
  return keys.flatMap((key) => (Array.isArray(key) && typeof key[2] === 'string' ? [key[2]] : []));
}

/** The records of all turns of a desk. */
export function readStoredTurns(database: IDBDatabase, desk: string): Promise<readonly unknown[]> {
  return readKind(database, desk, 'turn');
}

/** Everything that is stored of a desk, key by key, so that it can be put back. */
export async function readDeskRecords(database: IDBDatabase, desk: string): Promise<readonly (readonly [RecordKey, unknown])[]> {
  const store = openStore(database);
  const range = IDBKeyRange.bound([desk], [desk, []]);
  const [keys, values] = await Promise.all([toPromise(store.getAllKeys(range)), toPromise<unknown[]>(store.getAll(range))]);
  return keys.map((key, index) => [key as unknown as RecordKey, values[index]] as const);
}

/** Ids of all stored desks. */
export async function readDeskIds(database: IDBDatabase): Promise<readonly string[]> {
  const keys = await toPromise(openStore(database).getAllKeys());
  return keys.flatMap((key) => (Array.isArray(key) && key[1] === 'desk' && typeof key[0] === 'string' ? [key[0]] : []));
}

/** All or nothing; rejects (QuotaExceededError) with nothing written. */
export function writeRecords(database: IDBDatabase, { puts, deletes }: RecordChanges): Promise<void> {
  return writeAtOnce(database, [STORE], (transaction) => {
    const store = transaction.objectStore(STORE);
    for (const [key, value] of puts) store.put(value, toKey(key));
    for (const key of deletes) store.delete(toKey(key));
  });
}

/** Removes a desk with all its records. */
export async function deleteDesk(database: IDBDatabase, desk: string): Promise<void> {
  const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
  await toPromise(store.delete(IDBKeyRange.bound([desk], [desk, []])));
}
