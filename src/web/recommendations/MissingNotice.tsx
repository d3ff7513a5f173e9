import { Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { nodeLabel, type TreeNode } from '#shared/contract/projectReader.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { toClock } from './clock.ts';

interface MissingNoticeProps {
  snapshot: TreeNode;
  /** When the service last said so, ms since 1970. */
  checkedAt: number;
  onCheck: () => void;
  /** What to run to ask for one. */
  command: ReactNode;
}

/** The service answered 404: nothing is broken, there is just no record yet. */
export function MissingNotice({ snapshot, checkedAt, onCheck, command }: MissingNoticeProps) {
  return (
    <div className="flex flex-col items-center">
      <EmptyState
        icon={<Hourglass aria-hidden size={20} />}
        title="No recommendation for this snapshot yet"
        action={<Button onClick={onCheck}>Check again</Button>}
      >
        The service has none for {nodeLabel(snapshot)}. If the snapshot was deleted, select another one in the project
        tree; else ask the service for one, then check again. Last checked {toClock(checkedAt)}.
      </EmptyState>
      {command}
    </div>
  );
}
