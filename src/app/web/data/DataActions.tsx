import { useQuery } from '@tanstack/react-query';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { sessionQuery } from '#ui/client/queries.ts';
import { toDataRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import { useIsFolder } from '#app/web/useIsFolder.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { Button } from '#ui/kit/Button.tsx';

interface DataActionsProps {
  /** From the project to a dataset or snapshot. */
  path: readonly TreeNode[];
}

/** What can be made of a dataset or snapshot. Where that can't be done here, the buttons say why. */
export function DataActions({ path }: DataActionsProps) {
  const refusal = toDataRefusal(useQuery(sessionQuery()).data, 'Make and compare snapshots');
  const isFolder = useIsFolder(path[0]?.id);
  const dataset = path.findLast(({ type }) => type === 'dataset');
  const count = dataset?.children.filter(({ type }) => type === 'snapshot').length ?? 0;
  // Folders of runs are only read.
  if (isFolder === true) return null;
  return (
    <div className="flex flex-wrap gap-1.5 pb-1">
      <ChangeButton disabledReason={refusal} onClick={() => runCommand('new-snapshot')}>
        New snapshot
      </ChangeButton>
      <Button
        disabledReason={refusal ?? (count < 2 ? 'The dataset has fewer than two snapshots.' : null)}
        onClick={() => runCommand('compare-snapshots')}
      >
        Compare snapshots
      </Button>
    </div>
  );
}
