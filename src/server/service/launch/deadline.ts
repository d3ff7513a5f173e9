// The last resort of a shutdown: the process ends when its time is up, whatever its threads are doing.
import { Worker } from 'node:worker_threads';

/** Running answers have 2 s for their last words, the engine and the database the rest. */
const END_MS = 7_000;

export function endByForceLater(): void {
  // Without the loader of the main thread, which the thread does not need and would wait for.
  const worker = new Worker(new URL('./deadlineWorker.mjs', import.meta.url), {
    workerData: END_MS,
    execArgv: [],
  });
  worker.unref();
}
