// Queries of runs that other trainers left in folders: one run, curves of many runs; and changes of the folders. Only code
// that loads later imports this file.
import { queryOptions } from '@tanstack/react-query';
import { toCurves, type ReadCurves } from '#features/runs/shared/curvesReader.ts';
import type { CurveList, CurveRequest, RunGrouping, RunRoot } from '#features/runs/shared/runs.ts';
import { ask, checkAnswer, send } from '#ui/client/call.ts';
import { isMissing } from '#ui/client/failure.ts';
import { createLimiter } from '#ui/client/concurrencyLimit.ts';
import { hideMissing, POLLED, toPollState } from '#ui/client/queryRules.ts';
import { requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { curvesInterval, runInterval } from './runPolling.ts';

const runsLimiter = createLimiter(3);

/** A run of a folder; null: the experiment is no run of a folder. */
export function runQuery(runId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...POLLED,
    queryKey: ['run', runId],
    queryFn: ({ signal }) =>
      runsLimiter.run(
        () => ask('/api/v1/studio/runs/{runId}', [runId], 'facts', { signal, connection }).catch(hideMissing),
        signal,
      ),
    staleTime: 1000,
    refetchInterval: (query) => runInterval(toPollState(query)),
    refetchIntervalInBackground: false,
    enabled: runId !== '',
  });
}

export type CurveQuestion = Omit<CurveRequest, 'version'>;

async function requestCurves(
  question: CurveQuestion,
  previous: ReadCurves | undefined,
  signal: AbortSignal,
  connection: Connection,
): Promise<ReadCurves> {
  const body = previous && previous.version !== '' ? { ...question, version: previous.version } : question;
  const answer = await requestText('/api/v1/studio/curves', { method: 'POST', body, signal, connection });
  if (answer.status === 304 && previous) return previous;
  return toCurves(checkAnswer(answer, 'curves') as CurveList);
}

/** Two hundred runs with a dozen metrics are several questions; some connections stay for the tree and the streams. */
const curvesLimiter = createLimiter(2);
const NO_CURVES: ReadCurves = { version: '', curves: [], names: [] };

/** Curves of many runs. An answer without news keeps its identity. `isLive`: one of the runs trains now. */
export function curvesQuery(question: CurveQuestion, isLive: boolean, connection: Connection = SAME_ORIGIN) {
  const queryKey = ['curves', question] as const;
  return queryOptions({
    ...POLLED,
    queryKey,
    queryFn: ({ signal, client }): Promise<ReadCurves> =>
      curvesLimiter
        .run(() => requestCurves(question, client.getQueryData<ReadCurves>(queryKey), signal, connection), signal)
        .catch((error: unknown) => {
          if (isMissing(error)) return NO_CURVES;
          throw error;
        }),
    // Typed arrays: comparing them by structure would cost more than drawing them.
    structuralSharing: false,
    staleTime: 500,
    gcTime: 60_000,
    refetchInterval: (query) => curvesInterval(toPollState(query), isLive),
    refetchIntervalInBackground: false,
    enabled: question.runs.length > 0 && question.names.length > 0,
  });
}

/** Throws ApiFailure with the reason of the service. */
export const addRunRoot = (path: string, connection: Connection = SAME_ORIGIN): Promise<RunRoot> =>
  send('POST', '/api/v1/studio/run-roots', [], { body: { path }, field: 'path', connection });

export const groupRunRoot = (
  rootId: string,
  grouping: RunGrouping,
  connection: Connection = SAME_ORIGIN,
): Promise<RunRoot> =>
  send('PUT', '/api/v1/studio/run-roots/{rootId}', [rootId], { body: { grouping }, field: 'path', connection });

/** The studio forgets the folder; its files stay. */
export async function removeRunRoot(rootId: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await send('DELETE', '/api/v1/studio/run-roots/{rootId}', [rootId], { connection });
}
