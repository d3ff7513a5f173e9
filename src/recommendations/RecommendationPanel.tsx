import type { ReactNode } from 'react';
import type { TreeNode } from '../contract/projectReader';
import { NoSnapshot } from './NoSnapshot';

interface RecommendationPanelProps {
  /** The snapshot nearest to what is selected; null when there is none. */
  snapshot: TreeNode | null;
  project: TreeNode;
  renderSnapshot: (snapshot: TreeNode) => ReactNode;
}

/** The whole Recommendations tab. */
export function RecommendationPanel({ snapshot, project, renderSnapshot }: RecommendationPanelProps) {
  return (
    <section aria-label="Recommendations" className="@container flex min-w-0 flex-col gap-3.5">
      {snapshot ? renderSnapshot(snapshot) : <NoSnapshot project={project} />}
    </section>
  );
}
