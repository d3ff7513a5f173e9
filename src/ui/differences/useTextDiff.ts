// The difference of two texts, computed in the page's one worker and cached outside React: a view that unmounts while
// its code loads finds it again.
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { TextDiff } from '#core/differences/textDiff.ts';
import { openTimedWorker, workerOpener } from '#ui/timing/timedWorker.ts';
import { openWorkerCache } from '#ui/timing/workerCache.ts';

export interface TextPair {
  readonly before: string;
  readonly after: string;
}

/** null: the texts are too different, or it took too long. A text: why they can't be compared. */
type FoundDiff = { readonly diff: TextDiff | null } | { readonly problem: string };

export const NO_DIFF = 'These texts are too different to show word by word; the answer is shown as it is.';
export const COARSE_DIFF =
  'Parts are too different to show word by word: there the whole passage is marked, and words are not counted.';

const worker = openTimedWorker<TextPair, TextDiff | null>({
  openWorker: workerOpener(() => new Worker(new URL('./diffWorker.ts', import.meta.url), { type: 'module' })),
  // On most machines the search ends sooner by itself.
  jobMs: 4_000,
  // One slow pair of texts says nothing about others.
  maxSlow: Infinity,
});
const differences = openWorkerCache<TextPair, TextDiff | null, FoundDiff>({
  run: worker.run,
  toKey: ({ before, after }) => `${before.length} ${before}${after}`,
  toFound: (outcome) =>
    outcome.kind === 'broken'
      ? { problem: `Differences can’t be found: ${outcome.message} Reload the page.` }
      : { diff: outcome.kind === 'done' ? outcome.result : null },
  batchSize: 1,
  maxKept: 64,
});

/** undefined: still computing. */
export function useTextDiff(before: string, after: string): FoundDiff | undefined {
  const pair = useMemo(() => ({ before, after }), [before, after]);
  const subscribe = useCallback((onChange: () => void) => differences.follow(pair, onChange), [pair]);
  return useSyncExternalStore(subscribe, () => differences.get(pair));
}
