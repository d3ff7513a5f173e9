// Starts the check worker as a browser does. It must not know what is checked.
import type { CheckClientDeps, CheckMessage, CheckReply } from './checkClient';

export const openCheckWorker: CheckClientDeps['openWorker'] = (onReply, onError) => {
  const worker = new Worker(new URL('./checkWorker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => onReply(data));
  worker.addEventListener('error', (event) => onError(event.message === '' ? 'its code did not arrive.' : event.message));
  return { send: (message: CheckMessage) => worker.postMessage(message, { transfer: [] }), close: () => worker.terminate() };
};

export const later: CheckClientDeps['later'] = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
