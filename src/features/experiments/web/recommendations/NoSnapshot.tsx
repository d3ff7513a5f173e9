import { Camera } from 'lucide-react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { toSnapshots } from './advice.ts';

interface NoSnapshotProps {
  /** The selected node. */
  node: TreeNode;
}

const SHOWN = 6;

/** Says that recommendations belong to a snapshot, and offers the snapshots below the selected node. */
export function NoSnapshot({ node }: NoSnapshotProps) {
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
