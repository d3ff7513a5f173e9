import type { TreeNode } from '#shared/contract/projectReader.ts';
import { RecommendationPanel } from './RecommendationPanel.tsx';
import { SnapshotRecommendation } from './SnapshotRecommendation.tsx';

interface RecommendationsProps {
  /** The selected snapshot, or the one above the selected node; null: none. */
  snapshot: TreeNode | null;
  /** The selected node. */
  node: TreeNode;
}

/** The Recommendations tab of the workspace. */
export function Recommendations({ snapshot, node }: RecommendationsProps) {
  return (
    <RecommendationPanel
      snapshot={snapshot}
      node={node}
      renderSnapshot={(shown) => <SnapshotRecommendation key={shown.id} snapshot={shown} />}
    />
  );
}
