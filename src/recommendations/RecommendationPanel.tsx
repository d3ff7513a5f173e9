import type { TreeNode } from '../contract/projectReader';
import { NoSnapshot } from './NoSnapshot';
import { SnapshotRecommendation } from './SnapshotRecommendation';

interface RecommendationPanelProps {
  /** The snapshot nearest to what is selected; null when there is none. */
  snapshot: TreeNode | null;
  project: TreeNode;
}

/** The whole Recommendations tab. */
export function RecommendationPanel({ snapshot, project }: RecommendationPanelProps) {
  return (
    <section aria-label="Recommendations" className="@container flex min-w-0 flex-col gap-3.5">
      {snapshot ? <SnapshotRecommendation key={snapshot.id} snapshot={snapshot} /> : <NoSnapshot project={project} />}
    </section>
  );
}
