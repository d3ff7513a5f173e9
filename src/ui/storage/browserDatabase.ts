// What all IndexedDB users share: open, upgrade, read, write, and recover when the browser closes the connection or
// another tab needs a newer format.

/** The part of a database that its users need. The connection behind it may be replaced. */
export type Database = Pick<IDBDatabase, 'transaction'>;

/**
 * `newer`: a newer studio has changed the format. `outdated`: a newer studio in another tab is changing it now.
 * `closed`: the browser closed the connection. `deleted`: a person deleted this browser's data.
 */
type Trouble = 'newer' | 'outdated' | 'closed' | 'deleted';

export class DatabaseTrouble extends Error {
  constructor(
    readonly kind: Trouble,
    message: string,
  ) {
    super(message);
  }
}

const MESSAGES: Readonly<Record<Trouble, string>> = {
  newer: 'A newer version of the studio has stored in this browser.',
  outdated: 'A newer version of the studio is open in another tab.',
  closed: 'The browser has closed the database.',
  deleted: 'The data of this browser was deleted.',
};

const toTrouble = (kind: Trouble): DatabaseTrouble => new DatabaseTrouble(kind, MESSAGES[kind]);

export interface DatabasePlan {
  readonly name: string;
  /** A whole number that increases with each change of the stores. */
  readonly version: number;
  /** Upgrades the stores of an older database to `version`; `from` 0: there was none. */
  readonly upgrade: (database: IDBDatabase, from: number, transaction: IDBTransaction) => void;
}

export interface DatabaseEvents {
  /** An older version of the studio in another tab blocks the upgrade until that tab is closed or reloaded. */
  readonly onBlocked?: () => void;
  /** The last moment for a write: a newer version of the studio needs the database. */
  readonly beforeClose?: () => void;
  /** The database was closed for a newer version, or deleted. Nothing can be written until a reload. */
  readonly onOutdated?: (trouble: DatabaseTrouble) => void;
  /** The browser had closed the database, and it is open again. */
  readonly onReopened?: () => void;
}

export function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database gave no reason.')));
  });
}

/** Resolves once no other tab blocks the upgrade, however long that takes; `onBlocked` reports the wait. */
function connect({ name, version, upgrade }: DatabasePlan, onBlocked?: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      if (request.transaction) upgrade(request.result, oldVersion, request.transaction);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => {
      const { error } = request;
      reject(
        error?.name === 'VersionError' ? toTrouble('newer') : (error ?? new Error('The database could not be opened.')),
      );
    });
    request.addEventListener('blocked', () => onBlocked?.());
  });
}

class ReopeningDatabase implements Database {
  private trouble: DatabaseTrouble | null = null;

  constructor(
    private connection: IDBDatabase,
    private readonly plan: DatabasePlan,
    private readonly events: DatabaseEvents,
  ) {
    this.watch();
  }

  /** Throws if the database is closed. If the browser closed it, this reopens it for the next try. */
  transaction(...args: Parameters<IDBDatabase['transaction']>): IDBTransaction {
    if (this.trouble?.kind === 'closed') void this.reopen();
    if (this.trouble) throw this.trouble;
    return this.connection.transaction(...args);
  }

  private watch(): void {
    const { connection } = this;
    connection.addEventListener('versionchange', ({ newVersion }) => {
      // Transactions that have begun still finish.
      if (newVersion !== null) this.events.beforeClose?.();
      this.trouble = toTrouble(newVersion === null ? 'deleted' : 'outdated');
      connection.close();
      this.events.onOutdated?.(this.trouble);
    });
    connection.addEventListener('close', () => {
      this.trouble = toTrouble('closed');
      void this.reopen();
    });
  }

  private isOpening = false;

  private async reopen(): Promise<void> {
    if (this.isOpening) return;
    this.isOpening = true;
    try {
      this.connection = await connect(this.plan);
      this.trouble = null;
      this.watch();
      this.events.onReopened?.();
    } catch (error) {
      // The next transaction reopens it, unless a newer version has it now.
      if (error instanceof DatabaseTrouble) this.trouble = error;
    } finally {
      this.isOpening = false;
    }
  }
}

/** Rejects if the browser forbids databases, and with DatabaseTrouble if a newer studio has changed the format. */
export async function openDatabase(plan: DatabasePlan, events: DatabaseEvents = {}): Promise<Database> {
  return new ReopeningDatabase(await connect(plan, events.onBlocked), plan, events);
}

type Key = string | readonly (string | number)[];
/** A record and where it is stored; undefined: it is deleted. */
export type StoredRecord = readonly [store: string, key: Key, value: unknown];
/** One record of a store, or all between two keys. */
export type RecordRange = readonly [store: string, key: Key | IDBKeyRange];

/** The records of one item, whose keys begin with these parts. */
export const keysFrom = (...parts: readonly string[]): IDBKeyRange => IDBKeyRange.bound([...parts], [...parts, []]);

/** The records in these ranges, read at one moment. */
export async function readRecords(
  database: Database,
  ranges: readonly RecordRange[],
): Promise<readonly StoredRecord[]> {
  const transaction = database.transaction(ranges.map(([store]) => store));
  const found = ranges.map(async ([name, range]) => {
    const store = transaction.objectStore(name);
    const [keys, values] = await Promise.all([
      toPromise(store.getAllKeys(range as IDBKeyRange)),
      toPromise<unknown[]>(store.getAll(range as IDBKeyRange)),
    ]);
    return keys.map((key, at) => [name, key as Key, values[at]] as const);
  });
  return (await Promise.all(found)).flat();
}

/**
 * Deletes ranges, then writes records, in one transaction. Resolves when the data is on its way to disk; rejects
 * (QuotaExceededError) with nothing written.
 */
export function writeRecords(
  database: Database,
  records: readonly StoredRecord[],
  removed: readonly RecordRange[] = [],
): Promise<void> {
  const stores = [...new Set([...records, ...removed].map(([store]) => store))];
  if (stores.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, 'readwrite', { durability: 'relaxed' });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('The database undid the write.')),
    );
    for (const [store, range] of removed) transaction.objectStore(store).delete(range as IDBKeyRange);
    for (const [name, key, value] of records) {
      const store = transaction.objectStore(name);
      if (value === undefined) store.delete(key as IDBValidKey);
      else store.put(value, key as IDBValidKey);
    }
    // Does not wait until this script is idle, so that a write succeeds while the page closes.
    transaction.commit();
  });
}
