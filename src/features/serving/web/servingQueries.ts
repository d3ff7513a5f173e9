// Ways to chat with saved weights of runs: which there are, taking one, and stopping. Only code that loads later imports
// this file.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { ServingRequest } from '#features/serving/shared/serving.ts';
import { ask, send } from '#ui/client/call.ts';
import { modelsQuery, projectQuery } from '#ui/client/queries.ts';
import { BASE } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { runQuery } from '#features/runs/web/api/runQueries.ts';

/** An engine may take minutes to load an adapter; the service itself gives up earlier. */
const SERVE_MS = 600_000;

/** Asked anew each time that somebody wants to know: models come and go. */
export function servingOfferQuery(runId: string, checkpoint: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['serving', runId, checkpoint],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/runs/{runId}/serving', [runId], 'ways', { query: { checkpoint }, signal, connection }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Resolves to the id of the model to chat with. Throws ApiFailure with the reason of the service. */
export async function serveCheckpoint(
  runId: string,
  body: ServingRequest,
  connection: Connection = SAME_ORIGIN,
): Promise<string> {
  const served = await send('POST', '/api/v1/studio/runs/{runId}/serving', [runId], {
    body,
    field: 'model_id',
    timeoutMs: SERVE_MS,
    connection,
  });
  return served.model_id;
}

/** The converted adapter stays in the data folder, so that serving it again is quick. Throws ApiFailure. */
export async function stopServing(modelId: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await send('DELETE', '/api/v1/studio/served-models/{modelId}', [modelId], { connection });
}

/** Weights are served, or no longer. Resolves when the models are there; the run, the jobs and the trees follow. */
export async function renewServed(client: QueryClient, runId: string): Promise<void> {
  for (const queryKey of [runQuery(runId).queryKey, projectQuery('').queryKey.slice(0, 1), ['job']])
    void client.invalidateQueries({ queryKey });
  await client.invalidateQueries({ queryKey: modelsQuery().queryKey });
}
