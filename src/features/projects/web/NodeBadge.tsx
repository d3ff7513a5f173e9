import { lazy, Suspense } from 'react';
import { statusCause, type TreeNode } from '#core/contract/projectReader.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { toShownStatus } from '#features/projects/web/treeIndex/shownStatus.ts';
import { isWaiting } from './waitingNodes.ts';

interface NodeBadgeProps {
  node: TreeNode;
  isCompact: boolean;
}

/** Without its code the badge is as that of other runs. */
const WaitingBadge = lazy(async () => ({
  default: await import('./WaitingBadge.tsx').then(
    (loaded) => loaded.WaitingBadge,
    () => StatusBadge,
  ),
}));

/** The status of a node; of a run that waits also why. */
export function NodeBadge({ node, isCompact }: NodeBadgeProps) {
  const { id } = node;
  const status = toShownStatus(node);
  if (status === undefined) return null;
  const badge = <StatusBadge status={status} cause={statusCause(node)} isCompact={isCompact} />;
  if (!isWaiting(node)) return badge;
  return (
    <Suspense fallback={badge}>
      <WaitingBadge id={id} status={status} cause={statusCause(node)} isCompact={isCompact} />
    </Suspense>
  );
}
