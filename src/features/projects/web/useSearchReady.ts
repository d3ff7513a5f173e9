// Prepares the search of a tree in idle time, so that the first key is as fast as the next.
import { useEffect, useState } from 'react';
import { makeSearchTexts } from '#features/projects/web/treeIndex/searchTexts.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

const SLICE = 4_000;
/** Safari has no idle callbacks. */
const IDLE_MS = 50;

/**
 * Whether the index can be searched within a frame. `isWanted`: a person waits, so slices follow each other at once.
 */
export function useSearchReady(index: TreeIndex, isWanted: boolean): boolean {
  const [ready, setReady] = useState<TreeIndex | null>(null);
  const isReady =
    ready === index || makeSearchTexts(index, 0) || (index.nodes.length <= SLICE && makeSearchTexts(index, SLICE));
  useEffect(() => {
    if (isReady) return undefined;
    let isDone = false;
    const next = () => {
      if (isDone) return;
      if (makeSearchTexts(index, SLICE)) setReady(index);
      else later();
    };
    const later = () => {
      if (isWanted) setTimeout(next, 0);
      else if ('requestIdleCallback' in window) requestIdleCallback(next);
      else setTimeout(next, IDLE_MS);
    };
    later();
    return () => {
      isDone = true;
    };
  }, [index, isReady, isWanted]);
  return isReady;
}
