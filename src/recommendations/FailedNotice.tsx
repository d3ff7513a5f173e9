import { TriangleAlert } from 'lucide-react';
import type { TreeNode } from '../contract/projectReader';
import { CopyButton } from '../ui/CopyButton';
import { toFailureAdvice } from './advice';

interface FailedNoticeProps {
  snapshot: TreeNode;
}

/** The service gave up on this snapshot: what that means and what to do. */
export function FailedNotice({ snapshot }: FailedNoticeProps) {
  return (
    <div className="flex gap-2.5 rounded-[10px] border border-bad/40 bg-bad-soft px-3 py-2.5">
      <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-semibold text-bad">The service could not make recommendations for this snapshot</p>
        <ul className="list-disc pl-4">
          {toFailureAdvice(snapshot).map((advice) => (
            <li key={advice}>{advice}</li>
          ))}
        </ul>
        <p className="flex items-center gap-1 text-soft">
          Snapshot <code className="font-mono text-sm break-all">{snapshot.id}</code>
          <CopyButton label="Copy snapshot id" text={snapshot.id} />
        </p>
      </div>
    </div>
  );
}
