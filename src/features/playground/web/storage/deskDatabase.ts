// Reads records of the playground from the browser's IndexedDB.
import {
  keysFrom,
  openDatabase,
  toPromise,
  type Database,
  type DatabaseEvents,
  type RecordRange,
  type StoredRecord,
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

/** Rejects if the browser allows no database, or if a newer studio has changed it. */
export const openDeskDatabase = (events: DatabaseEvents = {}): Promise<Database> =>
  openDatabase({ name: NAME, version: 1, upgrade: (database) => void database.createObjectStore(STORE) }, events);

/** undefined as the value deletes the record. */
export const toRecord = (key: RecordKey, value: unknown): StoredRecord => [STORE, key, value];

/** All records of a desk. */
export const toWholeDesk = (desk: string): readonly RecordRange[] => [[STORE, keysFrom(desk)]];

/** The records that a desk is read from, without its exchanges, which are long. */
export const toDeskParts = (desk: string): readonly RecordRange[] => [
  [STORE, [desk, 'desk', '']],
  [STORE, [desk, 'mark', '']],
  [STORE, keysFrom(desk, 'turn')],
];

function openStore(database: Database): IDBObjectStore {
  return database.transaction(STORE).objectStore(STORE);
}

export function readRecord(database: Database, key: RecordKey): Promise<unknown> {
  return toPromise<unknown>(openStore(database).get([...key]));
}

/** The main record of a desk; undefined if there is none. */
export function readStoredDesk(database: Database, desk: string): Promise<unknown> {
  return readRecord(database, [desk, 'desk', '']);
}

/** A desk's records of one kind. */
export function readKind(database: Database, desk: string, kind: RecordKey[1]): Promise<readonly unknown[]> {
  return toPromise<unknown[]>(openStore(database).getAll(keysFrom(desk, kind)));
}

/** Ids of a desk's records of one kind. */
export async function readIds(database: Database, desk: string, kind: RecordKey[1]): Promise<readonly string[]> {
  const keys = await toPromise(openStore(database).getAllKeys(keysFrom(desk, kind)));
  return keys.flatMap((key) => (Array.isArray(key) && typeof key[2] === 'string' ? [key[2]] : []));
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
