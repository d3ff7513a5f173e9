// The query of completions that a run of a folder wrote. Only code that loads later imports this file.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CompletionQuestion } from '#features/runs/shared/completions.ts';
import { ask } from '#ui/client/call.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** A page of rows. The last one stays on the screen while another is read. A file of a step does not change. */
export function completionsQuery(runId: string, question: CompletionQuestion, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    queryKey: ['completions', runId, question],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/runs/{runId}/completions', [runId], 'rows', { query: { ...question }, signal, connection }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });
}
