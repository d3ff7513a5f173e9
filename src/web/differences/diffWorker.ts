// The worker behind diffClient.ts: finds differences, one reply for each, in order.
import { toTextDiff } from '#shared/evaluation/textDiff.ts';
import type { WorkerReply } from '#web/ui/timing/timedWorker.ts';
import type { DiffJob, DiffResult } from './diffClient.ts';

const reply = (message: WorkerReply<DiffResult>): void => self.postMessage(message, { transfer: [] });

/** Texts that the search breaks on are shown as they are. */
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
