import type { TreeNode } from '#core/contract/projectReader.ts';
import { useChangesSinceVisit } from '#features/projects/web/treeChanges/useChangesSinceVisit.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { VisitSection } from '#features/projects/web/VisitSection.tsx';
import { useNow } from '#ui/kit/useNow.ts';

const MINUTE = 60_000;

interface SinceVisitProps {
  project: TreeNode;
  /** The project without what is archived. */
  shown: TreeNode;
}

/** What changed since the last visit, as a part of the overview; nothing on the first visit. */
export function SinceVisit({ project, shown }: SinceVisitProps) {
  const since = useChangesSinceVisit(project);
  const now = useNow(MINUTE);
  const index = treeIndex(shown);
  // Of the whole project: what was archived since is not removed.
  const changes = since?.changes.filter(({ node }) => index.placeOf.has(node.id)) ?? [];
  return (
    since && (
      <div className="rounded-[10px] border border-line bg-surface py-2">
        <VisitSection since={{ ...since, changes }} index={index} now={now} />
      </div>
    )
  );
}
