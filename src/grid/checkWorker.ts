// The worker behind checkClient.ts: applies checks to answers, one reply for each. It must not know the grid.
import { openCheckSet } from '../evaluation/checkSet';
import type { CheckMessage, CheckReply } from './checkClient';

let check = openCheckSet([]);

const reply = (message: CheckReply): void => self.postMessage(message, { transfer: [] });

self.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
  if (data.kind === 'checks') {
    check = openCheckSet(data.specs);
    return reply({ kind: 'ready' });
  }
  for (const { answer, calls, expected } of data.jobs) reply({ kind: 'result', result: check(answer, expected, calls) ?? { state: 'pass' } });
  return undefined;
});
