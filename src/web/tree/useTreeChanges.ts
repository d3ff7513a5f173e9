// Notices that a poll brought another tree.
import { useEffect, useRef } from 'react';
import { readUrl } from '#web/session/urlState.ts';
import { changeProjectActivity } from '#web/tree/activity/activityStore.ts';
import type { TreeIndex } from '#web/tree/index/treeIndex.ts';

/** As long as a row's light takes to fade (styles.css), and a little more. */
const FADED_MS = 2_500;

export function useTreeChanges(index: TreeIndex): void {
  const last = useRef(index);
  useEffect(() => {
    const previous = last.current;
    last.current = index;
    const projectId = index.nodes[0]?.id ?? '';
    if (previous === index || previous.nodes[0]?.id !== projectId) return undefined;
    const at = Date.now();
    // What was selected now; the code may take a moment.
    const { node } = readUrl();
    // Without the code the tree is still right: only the list of changes misses an entry.
    void import('#web/tree/activity/trackChanges.ts')
      .then(({ trackChanges }) => trackChanges(previous, index, node, at))
      .catch(() => undefined);
    // Rows that come on show later would light up late.
    const timer = setTimeout(() => changeProjectActivity(projectId, { touched: null }), FADED_MS);
    return () => {
      clearTimeout(timer);
      changeProjectActivity(projectId, { touched: null });
    };
  }, [index]);
}
