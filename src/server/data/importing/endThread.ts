import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';

/** A thread that is asked to stop reads what was sent to it before, less than a second of work. */
const PATIENCE_MS = 5_000;

/** What the thread of `endThread` gets: it calls `process.exit`. */
export interface Stop {
  readonly kind: 'stop';
}

/**
 * Ends a thread that compresses, between two of its pieces. To terminate it at once may hit the moment in which it makes
 * a compressor, and then Node ends the whole process ("close before init"). Terminates it after `patienceMs` all the same.
 */
export async function endThread(worker: Worker, patienceMs = PATIENCE_MS): Promise<void> {
  // It has ended already.
  if (worker.threadId === -1) return;
  const exited = once(worker, 'exit');
  const timer = setTimeout(() => void worker.terminate(), patienceMs);
  const stop: Stop = { kind: 'stop' };
  worker.postMessage(stop, []);
  try {
    await exited;
  } finally {
    clearTimeout(timer);
  }
}
