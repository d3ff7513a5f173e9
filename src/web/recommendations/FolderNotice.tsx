import { FolderOpen } from 'lucide-react';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { selectNode } from '#web/session/nodeTab.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';

interface FolderNoticeProps {
  /** The selected node. */
  node: TreeNode;
}

/** Runs of a folder have no rows, so nothing can be computed from them; says what helps instead. */
export function FolderNotice({ node }: FolderNoticeProps) {
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
        A recommendation follows from the training rows: how many, how long, how alike. The folder has the runs, not
        their rows. What worked is in the table: sort by validation loss, and compare the settings of the best runs.
      </EmptyState>
    </section>
  );
}
