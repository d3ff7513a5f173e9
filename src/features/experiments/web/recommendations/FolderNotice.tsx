import { FolderOpen } from 'lucide-react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

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
        Recommendations are computed from training rows: their number, length and similarity. A folder has runs, but not
        their rows. To see what worked, sort the table of runs by validation loss and compare the settings of the best
        ones.
      </EmptyState>
    </section>
  );
}
