import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { trainingQueueQuery } from '#features/training/web/api/trainingQueries.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';

interface WaitingBadgeProps extends ComponentProps<typeof StatusBadge> {
  /** The experiment that waits. */
  id: string;
}

/** The badge of a run that waits, with the reason why. */
export function WaitingBadge({ id, ...badge }: WaitingBadgeProps) {
  const enabled = useQuery(sessionQuery()).data?.mode === 'local';
  const { data: reason } = useQuery({
    ...trainingQueueQuery(),
    enabled,
    select: (queue) => queue?.waiting.find(({ experiment_id }) => experiment_id === id)?.reason ?? null,
  });
  return <StatusBadge {...badge} reason={reason} />;
}
