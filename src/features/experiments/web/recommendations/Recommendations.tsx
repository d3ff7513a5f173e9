import { useQuery } from '@tanstack/react-query';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { RecommendationPanel } from './RecommendationPanel.tsx';
import { SnapshotRecommendation } from './SnapshotRecommendation.tsx';
import { FolderOpen } from 'lucide-react';
import { selectNode } from '#ui/address/nodeTab.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

interface FolderNoticeProps {
  /** The selected node. */
  node: TreeNode;
}

/** Runs of a folder have no rows, so nothing can be computed from them; says what helps instead. */
function FolderNotice({ node }: FolderNoticeProps) {
  return (
    <section aria-label="Recommendations">
      <EmptyState
        icon={<FolderOpen aria-hidden size={20} />}
        title="No recommendation for runs of a folder"
        action={
          <>
            <Button variant="primary" onClick={() => selectNode(node, 'experiments')}>
              Compare the runs
            </Button>
            <Button onClick={() => selectNode(node, 'curves')}>See the curves</Button>
          </>
        }
      >
        Recommendations are computed from training rows: their number, length and similarity. A folder has runs, but not
        their rows. To see what worked, sort the table of runs by validation loss and compare the settings of the best
        ones.
      </EmptyState>
    </section>
  );
}

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
