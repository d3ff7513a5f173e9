import type { ReactNode } from 'react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { toSnapshots } from './advice.ts';
import { NoSnapshot } from './NoSnapshot.tsx';

interface RecommendationPanelProps {
  /** The selected snapshot, or the one above the selected node; null: none. */
  snapshot: TreeNode | null;
  /** The selected node. If exactly one snapshot is below it, the panel shows that one. */
  node: TreeNode;
  renderSnapshot: (snapshot: TreeNode) => ReactNode;
}

/** The whole Recommendations tab. */
export function RecommendationPanel({ snapshot, node, renderSnapshot }: RecommendationPanelProps) {
  const [first = null, second = null] = snapshot ? [] : toSnapshots(node);
  const only = second === null ? first : null;
  const shown = snapshot ?? only?.node ?? null;
  return (
    <section aria-label="Recommendations" className="@container flex min-w-0 flex-col gap-3.5">
      {only && (
        <p className="text-soft">
          For <span className="font-medium text-ink">{only.label}</span>, the only snapshot of {nodeLabel(node)}.
        </p>
      )}
      {shown ? renderSnapshot(shown) : <NoSnapshot node={node} />}
    </section>
  );
}
