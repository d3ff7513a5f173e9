// Ways to chat with saved weights of runs: which there are, taking one, and stopping. Only code that loads later imports
// this file.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';
import { servedPath, servingPath } from '#core/contract/routes.ts';
import type { ServingOffer, ServingRequest } from '#features/serving/shared/serving.ts';
import { toShapeFailure } from '#ui/client/failure.ts';
import { modelsQuery, projectQuery } from '#ui/client/queries.ts';
import { BASE, fetchJson } from '#ui/client/queryRules.ts';
import { readJson, requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { runQuery } from '#features/runs/web/api/runQueries.ts';

/** An engine may take minutes to load an adapter; the service itself gives up earlier. */
const SERVE_MS = 600_000;

type Way = ServingOffer['ways'][number];

function toBases(value: unknown): NonNullable<Way['bases']> {
  return arrayOr(value)
    .filter(isObject)
    .map(({ id, has_fitting_name: isFitting, reason, notes }) => ({
      id: textOr(id, ''),
      has_fitting_name: isFitting === true,
      reason: textOr(reason, null),
      notes: arrayOr(notes).filter((note) => typeof note === 'string'),
    }))
    .filter(({ id }) => id !== '');
}

/** A way that this page does not know is left out. */
function toWays(entry: JsonObject): Way[] {
  const { way, bases } = entry;
  if (way !== 'llama' && way !== 'engine' && way !== 'command') return [];
  const command = textOr(entry['command'], null);
  return [
    {
      way,
      title: textOr(entry['title'], way),
      reason: textOr(entry['reason'], null),
      ...(bases !== undefined && { bases: toBases(bases) }),
      ...(command !== null && { command }),
    },
  ];
}

/** A form that this page does not know is left out. */
function toFiles({ form, type, name, bytes }: JsonObject): ServingOffer['files'] {
  if ((form !== 'saved' && form !== 'q8_0') || typeof name !== 'string') return [];
  return [{ form, type: textOr(type, 'GGUF'), name, bytes: numberOr(bytes, null) }];
}

export function readServingOffer(body: unknown): Read<ServingOffer> {
  if (!isObject(body)) return failRead('the answer is not an object');
  const value = {
    checkpoint: textOr(body['checkpoint'], ''),
    model_id: textOr(body['model_id'], null),
    files: arrayOr(body['files']).filter(isObject).flatMap(toFiles),
    ways: arrayOr(body['ways']).filter(isObject).flatMap(toWays),
  };
  return { ok: true, value };
}

/** Asked anew each time that somebody wants to know: models come and go. */
export function servingOfferQuery(runId: string, checkpoint: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['serving', runId, checkpoint],
    queryFn: ({ signal }): Promise<ServingOffer> =>
      fetchJson(servingPath(runId, checkpoint), readServingOffer, signal, connection),
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
  const answer = await requestText(servingPath(runId), { method: 'POST', body, timeoutMs: SERVE_MS, connection });
  const json = readJson(answer);
  const id = isObject(json) ? textOr(json['model_id'], '') : '';
  if (id === '') throw toShapeFailure(answer.status, answer.headers, 'the model has no id');
  return id;
}

/** The converted adapter stays in the data folder, so that serving it again is quick. Throws ApiFailure. */
export async function stopServing(modelId: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(servedPath(modelId), { method: 'DELETE', connection });
}

/** Weights are served, or no longer. Resolves when the models are there; the run, the jobs and the trees follow. */
export async function renewServed(client: QueryClient, runId: string): Promise<void> {
  for (const queryKey of [runQuery(runId).queryKey, projectQuery('').queryKey.slice(0, 1), ['job']])
    void client.invalidateQueries({ queryKey });
  await client.invalidateQueries({ queryKey: modelsQuery().queryKey });
}
