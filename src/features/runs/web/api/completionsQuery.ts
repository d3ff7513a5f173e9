// The query of completions that a run of a folder wrote. Only code that loads later imports this file.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CompletionQuestion } from '#features/runs/shared/completions.ts';
import { completionsPath, readCompletions } from '#features/runs/shared/completionsReader.ts';
import { fetchJson } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** A page of rows. The last one stays on the screen while another is read. A file of a step does not change. */
export function completionsQuery(runId: string, question: CompletionQuestion, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    queryKey: ['completions', runId, question],
    queryFn: ({ signal }) => fetchJson(completionsPath(runId, question), readCompletions, signal, connection),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });
}
