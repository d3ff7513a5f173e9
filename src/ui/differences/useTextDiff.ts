// The difference of two texts, computed in the page's one worker and cached outside React: a view that unmounts while
// its code loads finds it again.
import { useCallback, useSyncExternalStore } from 'react';
import { later, listen, openTimedWorker } from '#ui/timing/timedWorker.ts';
import { openDiffClient, type DiffJob, type DiffResult, type FoundDiff } from './diffClient.ts';

/** On most machines the search ends sooner by itself. */
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
    // One slow pair of texts says nothing about others.
    maxSlow: Infinity,
  }),
);

/** undefined: still computing. */
export function useTextDiff(before: string, after: string): FoundDiff | undefined {
  const subscribe = useCallback((onChange: () => void) => client.follow(before, after, onChange), [before, after]);
  return useSyncExternalStore(subscribe, () => client.get(before, after));
}
