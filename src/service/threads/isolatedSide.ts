// The inner side of a thread or process that `apart.ts` has opened.
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** What the inner side gets: a message, or the wish that it ends by itself. */
export type IsolatedMessage<To> = { readonly value: To } | { readonly stop: true };

export interface IsolatedData<Data> {
  readonly entry: string;
  readonly data: Data;
}

export interface IsolatedSide<To, From> {
  /** Begins to read messages, one call at a time in their order unless the listener returns before it is done. */
  receive(listener: (message: To) => void): void;
  /** `memory` moves between threads and is copied between processes. */
  post(message: From, memory?: readonly ArrayBuffer[]): void;
  /** Runs synchronous or asynchronous work that the process may spend `limitMs` of processor time on. */
  withinLimit<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** The line that a process leaves when a task took more processor time than it may. */
export const OUT_OF_TIME = 'out of processor time';

/** Ends a process that loses its service or takes too long, whatever its main thread does. Returns a counter of tasks. */
function startWatch(limitMs: number | null): Int32Array {
  const tasks = new Int32Array(new SharedArrayBuffer(4));
  const watch = new Worker(new URL('./isolatedWatchdog.mjs', import.meta.url), {
    workerData: { tasks, limitMs, parent: process.ppid, outOfTime: OUT_OF_TIME },
    execArgv: [],
  });
  watch.unref();
  return tasks;
}

/** Call it once. */
export function openSide<To, From>(): IsolatedSide<To, From> {
  const port = parentPort;
  if (port !== null) {
    return {
      receive: (listener) =>
        void port.on('message', (message: IsolatedMessage<To>) => {
          if ('stop' in message) process.exit();
          listener(message.value);
        }),
      post: (message, memory = []) => port.postMessage(message, [...memory]),
      withinLimit: (work) => work(),
    };
  }
  const limit = Number(process.argv.at(-1));
  const tasks = startWatch(Number.isFinite(limit) ? limit : null);
  process.on('disconnect', () => process.exit());
  return {
    receive: (listener) =>
      void process.on('message', (message: IsolatedMessage<To>) => {
        // What was posted before is sent before the channel closes.
        if ('stop' in message) setImmediate(() => process.disconnect());
        else listener(message.value);
      }),
    post: (message) => void process.send?.(message),
    async withinLimit(work) {
      Atomics.add(tasks, 0, 1);
      try {
        return await work();
      } finally {
        Atomics.add(tasks, 0, 1);
      }
    },
  };
}

/** What a thread was opened with. */
export const readData = <Data>(): Data => (workerData as IsolatedData<Data>).data;
