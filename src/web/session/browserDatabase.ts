// What all that is kept in the browser's IndexedDB has in common: opening and upgrading, reading, writing, and going on
// when the browser closes the connection or another tab needs a newer format.

/** All that users of a database need of it. A connection may be replaced meanwhile. */
export type Database = Pick<IDBDatabase, 'transaction'>;

/**
 * `newer`: a newer studio has changed the format. `outdated`: it does so now, in another tab. `closed`: the browser
 * closed it. `deleted`: a person had all deleted that this browser keeps.
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
  deleted: 'What this browser kept was deleted.',
};

const toTrouble = (kind: Trouble): DatabaseTrouble => new DatabaseTrouble(kind, MESSAGES[kind]);

export interface DatabasePlan {
  readonly name: string;
  /** A whole number that grows with each change of the stores. */
  readonly version: number;
  /** Makes the stores of an older database (0: there is none) those of `version`. */
  readonly upgrade: (database: IDBDatabase, from: number, transaction: IDBTransaction) => void;
}

export interface DatabaseEvents {
  /**
   * An older version of the studio is open in another tab, and keeps the database until that tab is closed or reloaded.
   */
  readonly onBlocked?: () => void;
  /** The last moment at which something can be written: a newer version of the studio needs the database. */
  readonly beforeClose?: () => void;
  /** It was closed for a newer version, or deleted: nothing can be written until the page is reloaded. */
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

/** Resolves once no other tab is in the way, however long that takes: `onBlocked` says that it does. */
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

class KeptDatabase implements Database {
  private trouble: DatabaseTrouble | null = null;

  constructor(
    private connection: IDBDatabase,
    private readonly plan: DatabasePlan,
    private readonly events: DatabaseEvents,
  ) {
    this.watch();
  }

  /** Throws where the database is closed. A database that the browser closed is opened again for the next try. */
  transaction(...given: Parameters<IDBDatabase['transaction']>): IDBTransaction {
    if (this.trouble?.kind === 'closed') void this.reopen();
    if (this.trouble) throw this.trouble;
    return this.connection.transaction(...given);
  }

  private watch(): void {
    const { connection } = this;
    connection.addEventListener('versionchange', ({ newVersion }) => {
      // Transactions that have begun still end.
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
      // What is tried next opens it again, unless a newer version has it now.
      if (error instanceof DatabaseTrouble) this.trouble = error;
    } finally {
      this.isOpening = false;
    }
  }
}

/** Rejects where the browser allows no database, and (DatabaseTrouble) where a newer studio has changed it. */
export async function openDatabase(plan: DatabasePlan, events: DatabaseEvents = {}): Promise<Database> {
  return new KeptDatabase(await connect(plan, events.onBlocked), plan, events);
}

/**
 * Writes in one transaction; resolves when it is on its way to disk, rejects (QuotaExceededError) with nothing written.
 */
export function writeAtOnce(
  database: Database,
  stores: readonly string[],
  write: (transaction: IDBTransaction) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([...stores], 'readwrite', { durability: 'relaxed' });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('The database undid the write.')),
    );
    write(transaction);
    // Does not wait for this script to become idle, so that a write still gets out while the page is being closed.
    transaction.commit();
  });
}
