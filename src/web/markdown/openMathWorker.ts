// Starts the worker of formulas as a browser does.
import type { MathClientDeps, MathReply } from './mathClient.ts';

export const openMathWorker: MathClientDeps['openWorker'] = (onReply, onError) => {
  const worker = new Worker(new URL('./mathWorker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<MathReply>) => onReply(data));
  worker.addEventListener('error', onError);
  return { send: (sources) => worker.postMessage(sources, { transfer: [] }), close: () => worker.terminate() };
};

export const later: MathClientDeps['later'] = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
