// The worker behind diffClient.ts: computes differences, one reply each, in order.
import { toTextDiff } from '#core/differences/textDiff.ts';
import type { WorkerReply } from '#ui/timing/timedWorker.ts';
import type { DiffJob, DiffResult } from './diffClient.ts';

const reply = (message: WorkerReply<DiffResult>): void => self.postMessage(message, { transfer: [] });

/** If the search throws, the texts are shown as they are. */
function toResult({ before, after }: DiffJob): DiffResult {
  try {
    return toTextDiff(before, after);
  } catch {
    return null;
  }
}

self.addEventListener('message', ({ data }: MessageEvent<readonly DiffJob[]>) => {
  for (const job of data) reply({ kind: 'result', result: toResult(job) });
});
reply({ kind: 'ready' });
