import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { formatCounted, formatDuration } from '#ui/kit/format.ts';
import { useNow } from '#ui/kit/useNow.ts';
import { useWatch } from './watchStore.ts';

interface ProcessingNoticeProps {
  snapshot: TreeNode;
}

const LONG_MS = 120_000;

/** Shown while the service computes: since when, and how often it was asked. */
export function ProcessingNotice({ snapshot }: ProcessingNoticeProps) {
  const watch = useWatch(snapshot.id);
  const now = useNow(1000);
  const elapsed = watch ? Math.max(0, Math.floor((now - watch.since) / 1000) * 1000) : 0;
  return (
    <div className="rounded-[10px] border border-line bg-surface px-3 py-3">
      <p className="font-semibold">Computing recommendations for {nodeLabel(snapshot)}</p>
      <p className="mt-1 max-w-prose text-soft">
        The service reads the snapshot’s rows and chooses base models and hyperparameters. This page shows the result as
        soon as it is ready. You can leave and come back.
      </p>
      <dl className="mt-2.5 flex flex-wrap gap-x-6 gap-y-1">
        <div className="flex gap-1.5">
          <dt className="text-soft">Waiting for</dt>
          <dd className="min-w-20 font-medium">{elapsed < 10_000 ? `${elapsed / 1000} s` : formatDuration(elapsed)}</dd>
        </div>
        <div className="flex gap-1.5">
          <dt className="text-soft">Asked</dt>
          <dd className="font-medium">{formatCounted(watch?.polls ?? 1, 'time')}</dd>
        </div>
      </dl>
      {elapsed >= LONG_MS && (
        <p className="mt-2 max-w-prose">
          This takes longer than two minutes, so the page now asks less often. If nothing changes, search the service’s
          log for the snapshot’s id.
        </p>
      )}
    </div>
  );
}
