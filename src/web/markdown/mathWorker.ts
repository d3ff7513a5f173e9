// The worker behind mathClient.ts: makes formulas, one reply for each, in order.
import type { MathReply } from './mathClient.ts';
import { toMathTree } from './mathTree.ts';

const reply = (message: MathReply): void => self.postMessage(message, { transfer: [] });

self.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => {
  for (const source of data) reply({ kind: 'result', math: toMathTree(source) });
});
reply({ kind: 'ready' });
