import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { toFailureAdvice } from './advice.ts';

interface FailedNoticeProps {
  snapshot: TreeNode;
  /** In the service's own words; null: not given. */
  reason: string | null;
  /** The command that requests it again. */
  command: ReactNode;
}

/** The service failed for this snapshot: says why and what to do. */
export function FailedNotice({ snapshot, reason, command }: FailedNoticeProps) {
  return (
    <div className="flex gap-2.5 rounded-[10px] border border-bad/40 bg-bad-soft px-3 py-2.5">
      <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-semibold text-bad">The service could not make recommendations for this snapshot</p>
        {reason !== null && <p className="whitespace-pre-line">{reason}</p>}
        <ul className="list-disc pl-4">
          {toFailureAdvice(snapshot, reason !== null).map((advice) => (
            <li key={advice}>{advice}</li>
          ))}
        </ul>
        {command}
        <p className="flex items-center gap-1 text-soft">
          Snapshot <code className="font-mono text-sm break-all">{snapshot.id}</code>
          <CopyButton label="Copy snapshot id" text={snapshot.id} />
        </p>
      </div>
    </div>
  );
}
