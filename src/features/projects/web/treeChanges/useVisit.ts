// Keeps in this browser what was seen of a project, while it is on the screen.
import { useEffect, useRef, type RefObject } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { VisitTracker } from './visitTracker.ts';

/** Calls `onStart` once the project is followed. Never rejects: without storage nobody is told what changed meanwhile. */
async function follow(latest: RefObject<TreeNode>, onStart: (tracker: VisitTracker) => void): Promise<void> {
  try {
    const { startVisit } = await import('./visitTracker.ts');
    onStart(await startVisit(latest.current));
  } catch {
    // See above: all else works.
  }
}

/** A component with another project must be mounted anew. */
export function useVisit(project: TreeNode): void {
  const latest = useRef(project);
  const tracker = useRef<VisitTracker | null>(null);
  useEffect(() => {
    latest.current = project;
    tracker.current?.see(project);
  }, [project]);
  useEffect(() => {
    let isGone = false;
    void follow(latest, (started) => {
      if (isGone) return started.stop();
      tracker.current = started;
      started.see(latest.current);
    });
    return () => {
      isGone = true;
      tracker.current?.stop();
      tracker.current = null;
    };
  }, []);
}
