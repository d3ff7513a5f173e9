import type { ComponentProps } from 'react';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { useWaitReason } from './useWaitReason.ts';
import { toWaitId } from './waitingNodes.ts';

interface WaitingBadgeProps extends ComponentProps<typeof StatusBadge> {
  /** The experiment that waits. */
  id: string;
}

/** The badge of a run that waits, with the reason why, which its row is described by. */
export function WaitingBadge({ id, ...badge }: WaitingBadgeProps) {
  const reason = useWaitReason(id);
  return (
    <>
      <StatusBadge {...badge} reason={reason} />
      {reason !== null && (
        <span id={toWaitId(id)} hidden>
          {reason}
        </span>
      )}
    </>
  );
}
