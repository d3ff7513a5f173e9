// Starts the check worker in a browser.
import { listen } from '#ui/timing/timedWorker.ts';
import type { CheckClientDeps, CheckMessage } from './checkClient.ts';

export const openCheckWorker: CheckClientDeps['openWorker'] = (onReply, onError) => {
  const worker = new Worker(new URL('./checkWorker.ts', import.meta.url), { type: 'module' });
  listen(worker, onReply, onError);
  return {
    send: (message: CheckMessage) => worker.postMessage(message, { transfer: [] }),
    close: () => worker.terminate(),
  };
};
