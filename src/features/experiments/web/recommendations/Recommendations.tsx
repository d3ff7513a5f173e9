import { useQuery } from '@tanstack/react-query';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { FolderNotice } from './FolderNotice.tsx';
import { RecommendationPanel } from './RecommendationPanel.tsx';
import { SnapshotRecommendation } from './SnapshotRecommendation.tsx';

interface RecommendationsProps {
  /** The selected snapshot, or the one above the selected node; null: none. */
  snapshot: TreeNode | null;
  /** The selected node. */
  node: TreeNode;
  /** Id of its project. */
  project: string;
}

/** The Recommendations tab of the workspace. */
export function Recommendations({ snapshot, node, project }: RecommendationsProps) {
  const roots = useQuery(knownRootsQuery());
  if (roots.isPending) return <Skeleton rows={8} />;
  if (roots.data?.some(({ id }) => id === project) === true) return <FolderNotice node={node} />;
  return (
    <RecommendationPanel
      snapshot={snapshot}
      node={node}
      renderSnapshot={(shown) => <SnapshotRecommendation key={shown.id} snapshot={shown} />}
    />
  );
}
