// The part of IndexedDB that the grid uses, in memory; it can be full or closed. For tests only.

type Key = readonly (string | number)[];

const isOf = (key: string, grid: string): boolean => (JSON.parse(key) as Key)[0] === grid;

function answerLater<T extends EventTarget>(request: T, type: string): T {
  queueMicrotask(() => request.dispatchEvent(new Event(type)));
  return request;
}

/** Stands in for IDBKeyRange: all keys of one grid. */
export const GRID_RANGE = { bound: (lower: readonly [string]): { readonly grid: string } => ({ grid: lower[0] }) };

export class MemoryGrids {
  readonly grids = new Map<string, unknown>();
  readonly entries = new Map<string, unknown>();
  /** Keys of the setups, with their rows, that were read. */
  readonly read: string[] = [];
  /** By the key as JSON. */
  readonly cells = new Map<string, unknown>();
  /** Why writing fails. */
  problem: DOMException | null = null;
  isClosed = false;
  /** How many writes began. */
  writes = 0;
  /** Ends the writes that wait; null while none has to. */
  release: (() => void) | null = null;
  private last: Promise<void> = Promise.resolve();

  /** Writes begun from now on wait. */
  hold(): void {
    const held = new Promise<void>((resolve) => (this.release = resolve));
    this.last = this.last.then(() => held);
  }

  readonly factory = {
    open: (): EventTarget => {
      const request = Object.assign(new EventTarget(), {
        result: this,
        error: new DOMException('denied', 'SecurityError'),
      });
      return this.isClosed ? answerLater(request, 'error') : answerLater(request, 'success');
    },
  };

  addEventListener = (): void => undefined;

  transaction(_stores: unknown, mode = 'readonly'): EventTarget {
    const steps: (() => void)[] = [];
    const request = (result: unknown): EventTarget =>
      answerLater(Object.assign(new EventTarget(), { result: structuredClone(result) }), 'success');
    const find = (grid: string): readonly (readonly [string, unknown])[] =>
      [...this.cells].filter(([key]) => isOf(key, grid));
    const toStore = (kept: Map<string, unknown>): object => ({
      get: (key: string) => request(kept.get(key)),
      getAllKeys: () => request([...kept.keys()]),
      getAll: () => request([...kept.values()]),
      put: (value: unknown, key: string) => steps.push(() => kept.set(key, structuredClone(value))),
      delete: (key: string) => steps.push(() => kept.delete(key)),
    });
    const stores: Readonly<Record<string, object>> = {
      grids: { ...toStore(this.grids), get: (key: string) => (this.read.push(key), request(this.grids.get(key))) },
      entries: toStore(this.entries),
      cells: {
        getAllKeys: ({ grid }: { grid: string }) => request(find(grid).map(([key]) => JSON.parse(key) as Key)),
        getAll: ({ grid }: { grid: string }) => request(find(grid).map(([, value]) => value)),
        put: (value: unknown, key: Key) =>
          steps.push(() => this.cells.set(JSON.stringify(key), structuredClone(value))),
        delete: (key: Key | { grid: string }) =>
          steps.push(() => {
            if ('grid' in key) for (const [name] of find(key.grid)) this.cells.delete(name);
            else this.cells.delete(JSON.stringify(key));
          }),
      },
    };
    const transaction = Object.assign(new EventTarget(), {
      objectStore: (name: string) => stores[name],
      error: null as DOMException | null,
      commit: () => undefined,
    });
    if (mode === 'readonly') return transaction;
    this.writes += 1;
    const before = this.last;
    this.last = (async () => {
      await before;
      transaction.error = this.problem;
      if (this.problem === null) for (const step of steps) step();
      transaction.dispatchEvent(new Event(this.problem === null ? 'complete' : 'abort'));
    })();
    return transaction;
  }
}
