import { useMemo } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toChangesSinceVisit, type ChangesSinceVisit } from './visitChanges.ts';
import { usePreviousVisit } from './visitStore.ts';

/**
 * What changed in the project since this browser's last visit, up to now. null on the first visit, where the browser
 * keeps nothing, and for a moment after the page opened.
 */
export function useChangesSinceVisit(project: TreeNode): ChangesSinceVisit | null {
  const previous = usePreviousVisit(project.id);
  return useMemo(() => toChangesSinceVisit(previous, project), [previous, project]);
}
