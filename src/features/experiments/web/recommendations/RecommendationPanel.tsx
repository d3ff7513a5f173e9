import type { ReactNode } from 'react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { toSnapshots } from './advice.ts';
import { Camera } from 'lucide-react';
import { selectNode } from '#ui/address/nodeTab.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

interface NoSnapshotProps {
  /** The selected node. */
  node: TreeNode;
}

const SHOWN = 6;

/** Says that recommendations belong to a snapshot, and offers the snapshots below the selected node. */
function NoSnapshot({ node }: NoSnapshotProps) {
  const snapshots = toSnapshots(node);
  if (snapshots.length === 0) {
    return (
      <EmptyState
        icon={<Camera aria-hidden size={20} />}
        title={node.type === 'project' ? 'This project has no snapshot yet' : `${nodeLabel(node)} has no snapshot yet`}
      >
        A snapshot is a frozen split of a dataset, and recommendations are made for a snapshot. Once a dataset has one,
        it appears in the project tree: select it there.
      </EmptyState>
    );
  }
  const offered = snapshots.slice(0, SHOWN).map(({ node: snapshot, label }) => (
    <Button key={snapshot.id} title={label} onClick={() => selectNode(snapshot)} className="max-w-full">
      <span className="truncate">{label}</span>
    </Button>
  ));
  return (
    <EmptyState icon={<Camera aria-hidden size={20} />} title="Select a snapshot" action={offered}>
      Recommendations belong to a snapshot, and {nodeLabel(node)} has {snapshots.length}. Select one here or in the
      project tree.
      {snapshots.length > SHOWN && ` The first ${SHOWN}:`}
    </EmptyState>
  );
}

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
