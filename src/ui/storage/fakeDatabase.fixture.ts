// An in-memory browser database (fake-indexeddb) that can be full, slow, closed or deleted. For tests only.
import { forceCloseDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { vi } from 'vitest';
import { toPromise, type Database } from './browserDatabase.ts';

export const QUOTA = new DOMException('The disk is full.', 'QuotaExceededError');

type Key = string | readonly (string | number)[];
type Step = (transaction: IDBTransaction) => void;

/** Keys as JSON. */
interface Write {
  readonly puts: string[];
  readonly deletes: string[];
}

/** The real timer: tests fake the clock. */
const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A write that has not reached the database. It records its steps until `begin`. */
class PendingWrite extends EventTarget {
  error: DOMException | null = null;
  private readonly steps: Step[] = [];

  objectStore(name: string): object {
    const later = (act: (store: IDBObjectStore) => IDBRequest): void =>
      void this.steps.push((transaction) => void act(transaction.objectStore(name)));
    return {
      put: (value: unknown, key: IDBValidKey) => {
        const copy: unknown = structuredClone(value);
        return later((store) => store.put(copy, key));
      },
      delete: (key: IDBValidKey | IDBKeyRange) => later((store) => store.delete(key)),
    };
  }

  commit = (): void => undefined;

  begin(transaction: IDBTransaction): void {
    for (const type of ['complete', 'abort'])
      transaction.addEventListener(type, () => {
        this.error = transaction.error;
        this.dispatchEvent(new Event(type));
      });
    for (const step of this.steps) step(transaction);
    transaction.commit();
  }
}

export class FakeDatabase {
  /** Everything that was written, in order. */
  readonly writes: Write[] = [];
  /** Number of writes that began. */
  begun = 0;
  /** Why writes fail; null: they don't. */
  problem: DOMException | null = null;
  /** Why reads and writes fail; null: they don't. */
  refusal: DOMException | null = null;
  /** True: the database can't be opened. */
  isClosed = false;
  /** Releases the waiting writes; null: none has to wait. */
  release: (() => void) | null = null;
  private held: { readonly write: PendingWrite; readonly open: () => IDBTransaction }[] = [];
  /** Transactions that have begun and not ended. */
  private running = 0;
  /** The database itself, without any failures. */
  readonly browser = new IDBFactory();
  private connections: IDBDatabase[] = [];
  private own: Promise<IDBDatabase> | null = null;

  /** `open`: the product's function that opens the database and makes the stores. */
  constructor(
    private readonly name: string,
    private readonly open: () => Promise<Database>,
  ) {}

  /** Pages loaded from now on use this database. */
  stub(): void {
    vi.stubGlobal('indexedDB', { open: (name: string, version?: number) => this.connect(name, version) });
    vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  }

  /** Writes that begin from now on wait; reads don't wait for them. */
  hold(): void {
    this.release = () => {
      this.release = null;
      for (const { write, open } of this.held.splice(0)) write.begin(open());
    };
  }

  /** Closes the pages' connections, as a browser does. */
  async close(): Promise<void> {
    // In fake-indexeddb's types the class appears where an instance is meant.
    for (const connection of this.connections.splice(0)) forceCloseDatabase(connection as never);
    await this.settle();
  }

  /** Deletes the database, as another tab does: all connections get the event. */
  async delete(): Promise<void> {
    this.own = null;
    await toPromise(this.browser.deleteDatabase(this.name));
    await this.settle();
  }

  /** Puts records as if they had been stored earlier. */
  async put(store: string, records: readonly (readonly [Key, unknown])[]): Promise<void> {
    const transaction = (await this.openOwn()).transaction(store, 'readwrite');
    for (const [key, value] of records) transaction.objectStore(store).put(value, key as IDBValidKey);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
  }

  async remove(store: string, key: Key): Promise<void> {
    const transaction = (await this.openOwn()).transaction(store, 'readwrite');
    await toPromise(transaction.objectStore(store).delete(key as IDBValidKey));
  }

  /** Stored records, ordered by key. */
  async read<K extends Key>(store: string): Promise<readonly (readonly [K, unknown])[]> {
    const records = (await this.openOwn()).transaction(store).objectStore(store);
    const [keys, values] = await Promise.all([toPromise(records.getAllKeys()), toPromise<unknown[]>(records.getAll())]);
    return keys.map((key, at) => [key as K, values[at]] as const);
  }

  async readOne(store: string, key: Key): Promise<unknown> {
    return toPromise<unknown>(
      (await this.openOwn())
        .transaction(store)
        .objectStore(store)
        .get(key as IDBValidKey),
    );
  }

  /** Resolves when nothing is pending any more. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 3; idle = this.running === 0 ? idle + 1 : 0) await nextTask();
  }

  /** Advances the clock, with time for the database at every step. */
  async pass(ms: number): Promise<void> {
    const step = Math.max(10, ms / 100);
    await this.settle();
    for (let left = ms; left >= 0; left -= step) {
      await vi.advanceTimersByTimeAsync(Math.min(step, left));
      await this.settle();
    }
  }

  /** A connection of the test itself, without failures. */
  private openOwn(): Promise<IDBDatabase> {
    this.own ??= (async () => {
      const { isClosed } = this;
      this.isClosed = false;
      const opened = this.open();
      this.isClosed = isClosed;
      await opened;
      const connection = await toPromise(this.browser.open(this.name));
      connection.addEventListener('versionchange', () => connection.close());
      return connection;
    })();
    return this.own;
  }

  private track(target: EventTarget, ...ends: readonly string[]): void {
    this.running += 1;
    let isOver = false;
    for (const end of ends)
      target.addEventListener(end, () => {
        if (!isOver) this.running -= 1;
        isOver = true;
      });
  }

  private connect(name: string, version?: number): EventTarget {
    if (this.isClosed) {
      const denied = Object.assign(new EventTarget(), { error: new DOMException('denied', 'SecurityError') });
      setImmediate(() => denied.dispatchEvent(new Event('error')));
      this.track(denied, 'error');
      return denied;
    }
    const request = this.browser.open(name, version);
    this.track(request, 'success', 'error', 'blocked');
    request.addEventListener('success', () => {
      const connection = request.result;
      this.connections.push(connection);
      const begin = connection.transaction.bind(connection);
      connection.transaction = (...given) => this.begin(() => begin(...given), given[1] === 'readwrite');
    });
    return request;
  }

  private begin(open: () => IDBTransaction, isWrite: boolean): IDBTransaction {
    if (this.refusal) throw this.refusal;
    if (!isWrite) return this.trackAll(open());
    this.begun += 1;
    if (!this.release) return this.watch(open());
    const write = new PendingWrite();
    this.held.push({ write, open: () => this.watch(open()) });
    return write as unknown as IDBTransaction;
  }

  private trackAll(transaction: IDBTransaction): IDBTransaction {
    this.track(transaction, 'complete', 'abort');
    return transaction;
  }

  /** Records writes, and undoes them where writing fails. */
  private watch(transaction: IDBTransaction): IDBTransaction {
    const write: Write = { puts: [], deletes: [] };
    this.trackAll(transaction).addEventListener('complete', () => this.writes.push(write));
    const openStore = transaction.objectStore.bind(transaction);
    transaction.objectStore = (name) => {
      const store = openStore(name);
      return Object.assign(Object.create(store) as IDBObjectStore, {
        put: (value: unknown, key: IDBValidKey) => (write.puts.push(JSON.stringify(key)), store.put(value, key)),
        delete: (key: IDBValidKey) => (write.deletes.push(JSON.stringify(key)), store.delete(key)),
      });
    };
    const commit = transaction.commit.bind(transaction);
    transaction.commit = () => {
      if (!this.problem) return commit();
      transaction.abort();
      Object.assign(transaction, { error: this.problem });
    };
    return transaction;
  }
}
