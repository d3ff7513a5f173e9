// The last resort of a shutdown: ends the process when its time is up, even if the main thread is busy.
import { Worker } from 'node:worker_threads';

/** Running answers have 2 s to send their last event; the engine and the database have the rest. */
const END_MS = 7_000;

export function endByForceLater(): void {
  // Without the main thread's loader: this thread doesn't need it and would wait for it.
  const worker = new Worker(new URL('./deadlineWorker.mjs', import.meta.url), {
    workerData: END_MS,
    execArgv: [],
  });
  worker.unref();
}
