import { Camera } from 'lucide-react';
import type { TreeNode } from '../contract/projectReader';
import { updateUrl } from '../session/urlState';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { toSnapshots } from './advice';

interface NoSnapshotProps {
  project: TreeNode;
}

const SHOWN = 6;

/** Recommendations belong to a snapshot: says so, and offers the ones there are. */
export function NoSnapshot({ project }: NoSnapshotProps) {
  const snapshots = toSnapshots(project);
  if (snapshots.length === 0) {
    return (
      <EmptyState icon={<Camera aria-hidden size={20} />} title="This project has no snapshot yet">
        A snapshot is a frozen split of a dataset, and recommendations are made for a snapshot. Once a dataset has one, it
        appears in the project tree: select it there.
      </EmptyState>
    );
  }
  const offered = snapshots.slice(0, SHOWN).map(({ id, label }) => (
    <Button key={id} title={label} onClick={() => updateUrl({ node: id })} className="max-w-full">
      <span className="truncate">{label}</span>
    </Button>
  ));
  return (
    <EmptyState icon={<Camera aria-hidden size={20} />} title="Select a snapshot" action={offered}>
      Recommendations belong to a snapshot. Select a snapshot in the project tree, or a job or an experiment beneath one.
      {snapshots.length > SHOWN && ` The first ${SHOWN} of ${snapshots.length}:`}
    </EmptyState>
  );
}
