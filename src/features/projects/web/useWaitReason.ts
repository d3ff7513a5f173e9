import { useQuery } from '@tanstack/react-query';
import { trainingQueueQuery } from '#features/training/web/api/trainingQueries.ts';
import { sessionQuery } from '#ui/client/queries.ts';

/** Why an experiment waits, as a sentence; null: it does not, or it is not known. */
export function useWaitReason(id: string): string | null {
  const enabled = useQuery(sessionQuery()).data?.mode === 'local';
  const { data } = useQuery({
    ...trainingQueueQuery(),
    enabled,
    select: (queue) => queue?.waiting.find(({ experiment_id }) => experiment_id === id)?.reason ?? null,
  });
  return data ?? null;
}
