// The worker behind mathClient.ts: makes formulas, one reply for each, in order.
import type { WorkerReply } from '#ui/timing/timedWorker.ts';
import type { MathElement } from './mathAllowed.ts';
import { toMathTree } from './mathTree.ts';

const reply = (message: WorkerReply<MathElement | null>): void => self.postMessage(message, { transfer: [] });

self.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => {
  for (const source of data) reply({ kind: 'result', result: toMathTree(source) });
});
reply({ kind: 'ready' });
