// The last resort of a shutdown: ends the process when its time is up, even if the main thread is busy.
import { openThread } from '#service/threads/apart.ts';

/** Running answers have 2 s to send their last event; the engine and the database have the rest. */
const END_MS = 7_000;

export function endByForceLater(): void {
  const entry = new URL('./deadlineWorker.mjs', import.meta.url);
  openThread({ entry, data: END_MS, onMessage: () => undefined }).hold(false);
}
