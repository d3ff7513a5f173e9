// Detects that a poll returned a changed tree.
import { useEffect, useRef } from 'react';
import { readUrl } from '#ui/address/urlState.ts';
import { changeProjectActivity } from '#features/projects/web/treeChanges/activityStore.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

/** A little longer than the highlight of a row takes to fade (styles.css). */
const FADED_MS = 2_500;

export function useTreeChanges(index: TreeIndex): void {
  const last = useRef(index);
  useEffect(() => {
    const previous = last.current;
    last.current = index;
    const projectId = index.nodes[0]?.id ?? '';
    if (previous === index || previous.nodes[0]?.id !== projectId) return undefined;
    const at = Date.now();
    // Reads the selection now, because the code may take a moment to load.
    const { node } = readUrl();
    // Without this code the tree is still right; only the list of changes misses an entry.
    void import('#features/projects/web/treeChanges/trackChanges.ts')
      .then(({ trackChanges }) => trackChanges(previous, index, node, at))
      .catch(() => undefined);
    // Otherwise rows that appear later would highlight late.
    const timer = setTimeout(() => changeProjectActivity(projectId, { touched: null }), FADED_MS);
    return () => {
      clearTimeout(timer);
      changeProjectActivity(projectId, { touched: null });
    };
  }, [index]);
}
