import { Hourglass } from 'lucide-react';
import { nodeLabel, type TreeNode } from '../contract/projectReader';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { toClock } from './clock';

interface MissingNoticeProps {
  snapshot: TreeNode;
  /** When the service last said so, ms since 1970. */
  checkedAt: number;
  onCheck: () => void;
}

/** The service answered 404: nothing is broken, there is just no record yet. */
export function MissingNotice({ snapshot, checkedAt, onCheck }: MissingNoticeProps) {
  const action = <Button onClick={onCheck}>Check again</Button>;
  return (
    <EmptyState icon={<Hourglass aria-hidden size={20} />} title="No recommendation for this snapshot yet" action={action}>
      The service has none for {nodeLabel(snapshot)}. A hosted studio makes one when it is asked to
      (<code className="font-mono text-sm">recommendations/generate</code>); after that, check again. If the snapshot was deleted, select
      another one in the project tree. Last checked {toClock(checkedAt)}.
    </EmptyState>
  );
}
