// How two texts differ, found in the page's one worker for that and kept outside what is drawn: a view that is put
// aside while its code arrives finds it again.
import { useCallback, useSyncExternalStore } from 'react';
import { later, listen, openTimedWorker } from '#web/ui/timing/timedWorker.ts';
import { openDiffClient, type DiffJob, type DiffResult, type FoundDiff } from './diffClient.ts';

/** The search itself ends sooner on most machines. */
const TEXT_MS = 4_000;

const client = openDiffClient(
  openTimedWorker<DiffJob, DiffResult>({
    openWorker(onReply, onError) {
      const worker = new Worker(new URL('./diffWorker.ts', import.meta.url), { type: 'module' });
      listen(worker, onReply, onError);
      return { send: (jobs) => worker.postMessage(jobs, { transfer: [] }), close: () => worker.terminate() };
    },
    later,
    jobMs: TEXT_MS,
    // That one pair of texts takes too long says nothing about others.
    maxSlow: Infinity,
  }),
);

/** undefined: it is being found. */
export function useTextDiff(before: string, after: string): FoundDiff | undefined {
  const subscribe = useCallback((onChange: () => void) => client.follow(before, after, onChange), [before, after]);
  return useSyncExternalStore(subscribe, () => client.get(before, after));
}
