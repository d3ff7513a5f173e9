import type { TreeNode } from '#shared/contract/projectReader.ts';
import { useChangesSinceVisit } from '#web/tree/activity/useChangesSinceVisit.ts';
import type { TreeIndex } from '#web/tree/index/treeIndex.ts';
import { VisitSection } from '#web/tree/VisitSection.tsx';
import { useNow } from '#web/ui/useNow.ts';

const MINUTE = 60_000;

interface SinceVisitProps {
  project: TreeNode;
  index: TreeIndex;
}

/** What changed since the last visit, as a part of the overview; nothing on the first visit. */
export function SinceVisit({ project, index }: SinceVisitProps) {
  const since = useChangesSinceVisit(project);
  const now = useNow(MINUTE);
  return (
    since && (
      <div className="rounded-[10px] border border-line bg-surface py-2">
        <VisitSection since={since} index={index} now={now} />
      </div>
    )
  );
}
