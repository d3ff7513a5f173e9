// The part of IndexedDB that the playground uses, in memory; it can be full, slow or broken. For tests only.

type Key = string | readonly Key[];
interface Range {
  readonly lower: Key;
  readonly upper: Key;
}

/** IndexedDB's order of keys: a text comes before any list, lists go item by item. */
function compare(a: Key, b: Key): number {
  if (typeof a === 'string' || typeof b === 'string') {
    if (typeof a !== typeof b) return typeof a === 'string' ? -1 : 1;
    return a < b ? -1 : Number(a > b);
  }
  for (const [index, item] of a.entries()) {
    const other = b[index];
    const order = other === undefined ? 1 : compare(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const isIn = (key: Key, range: Key | Range): boolean =>
  typeof range === 'object' && 'lower' in range
    ? compare(key, range.lower) >= 0 && compare(key, range.upper) <= 0
    : compare(key, range) === 0;

/** A request that is answered a moment later. */
function answerLater<T extends EventTarget>(request: T, type: string): T {
  queueMicrotask(() => request.dispatchEvent(new Event(type)));
  return request;
}

interface Write {
  readonly puts: string[];
  readonly deletes: string[];
}

/** Transactions end in the order in which they began. */
export class Database {
  records: { readonly key: Key; readonly value: unknown }[] = [];
  writes: Write[] = [];
  /** Keys that cursors have come by. */
  visits = 0;
  /** Why writing fails. */
  problem: DOMException | null = null;
  /** The database can't be opened. */
  isClosed = false;
  /** Ends the transactions that wait; null while none has to. */
  release: (() => void) | null = null;
  private last: Promise<void> = Promise.resolve();

  readonly factory = {
    open: (): EventTarget => {
      const request = Object.assign(new EventTarget(), {
        result: this,
        error: new DOMException('denied', 'SecurityError'),
      });
      if (this.isClosed) return answerLater(request, 'error');
      return answerLater(answerLater(request, 'upgradeneeded'), 'success');
    },
  };

  createObjectStore = (): void => undefined;

  private readonly listeners: ((event: { readonly newVersion: number | null }) => void)[] = [];

  addEventListener(type: string, listener: (event: { readonly newVersion: number | null }) => void): void {
    if (type === 'versionchange') this.listeners.push(listener);
  }

  close = (): void => undefined;

  /** As where another tab deletes what this browser keeps: all connections are told. */
  delete(): void {
    this.records = [];
    for (const listener of this.listeners.splice(0)) listener({ newVersion: null });
  }

  /** Transactions begun from now on wait. */
  hold(): void {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    this.release = release;
    this.last = this.last.then(() => held);
  }

  transaction(_store: string, mode = 'readonly'): EventTarget {
    const steps: (() => void)[] = [];
    const write: Write = { puts: [], deletes: [] };
    const find = (range?: Key | Range) =>
      this.records.filter(({ key }) => range === undefined || isIn(key, range)).sort((a, b) => compare(a.key, b.key));
    const read = (result: unknown): EventTarget =>
      answerLater(Object.assign(new EventTarget(), { result: structuredClone(result) }), 'success');
    const put = (value: unknown, key: Key): void => {
      write.puts.push(JSON.stringify(key));
      const copy: unknown = structuredClone(value);
      steps.push(
        () =>
          (this.records = [...this.records.filter((record) => compare(record.key, key) !== 0), { key, value: copy }]),
      );
    };
    const remove = (range: Key | Range): EventTarget => {
      write.deletes.push(JSON.stringify(range));
      steps.push(() => (this.records = this.records.filter(({ key }) => !isIn(key, range))));
      return read(undefined);
    };
    const objectStore = {
      get: (key: Key) => read(find(key)[0]?.value),
      getAll: (range: Range) => read(find(range).map(({ value }) => value)),
      getAllKeys: (range?: Range) => read(find(range).map(({ key }) => key)),
      openKeyCursor: () => {
        const keys = find().map(({ key }) => key);
        const request = Object.assign(new EventTarget(), { result: null as object | null });
        const goTo = (at: number): void => {
          const key = keys[at];
          const next = (target?: Key): void =>
            goTo(
              target === undefined ? at + 1 : keys.findIndex((each, place) => place > at && compare(each, target) >= 0),
            );
          request.result = key === undefined ? null : { key, continue: next };
          this.visits += 1;
          answerLater(request, 'success');
        };
        goTo(0);
        return request;
      },
      put,
      delete: remove,
    };
    const transaction = Object.assign(new EventTarget(), {
      objectStore: () => objectStore,
      error: null as DOMException | null,
      commit: () => undefined,
    });
    if (mode === 'readonly') return transaction;
    const before = this.last;
    this.last = (async () => {
      await before;
      transaction.error = this.problem;
      if (this.problem === null) {
        for (const step of steps) step();
        this.writes.push(write);
      }
      transaction.dispatchEvent(new Event(this.problem === null ? 'complete' : 'abort'));
    })();
    return transaction;
  }

  read(key: Key): unknown {
    return this.records.find((record) => compare(record.key, key) === 0)?.value;
  }
}

/** Stands in for IDBKeyRange. */
export const KEY_RANGE = { bound: (lower: Key, upper: Key): Range => ({ lower, upper }) };

export const QUOTA = new DOMException('The disk is full.', 'QuotaExceededError');
