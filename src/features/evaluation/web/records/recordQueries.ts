// Queries of evaluations that the studio keeps, and of their runs. Polled while something goes on.
import { hashKey, queryOptions, type QueryKey } from '@tanstack/react-query';
import type { AnswersQuery, EvaluationRun, RunStatus } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { ask } from '#ui/client/call.ts';
import { intervalOnError } from '#ui/client/polling.ts';
import { hideMissing, POLLED, toPollState } from '#ui/client/queryRules.ts';

const ACTIVE_MS = 1_500;
const SETTLED_MS = 15_000;

/** Whether keys differ in their end alone, which is the state of a run: the data of one stand until those of the other are there. */
export const isSameButState = (one: QueryKey | undefined, other: QueryKey): boolean =>
  one !== undefined && hashKey(one.slice(0, -1)) === hashKey(other.slice(0, -1));

const GOING_ON: ReadonlySet<RunStatus> = new Set<RunStatus>(['queued', 'running', 'waiting']);
export const isGoingOn = (status: RunStatus): boolean => GOING_ON.has(status);

const ENDED_EARLY: ReadonlySet<RunStatus> = new Set<RunStatus>(['failed', 'cancelled']);
const isLasting = ({ status }: Pick<EvaluationRun, 'status'>): boolean => !ENDED_EARLY.has(status);

/** Of runs, the newest first, the one that stands for the evaluation: as the service chooses `latest_run`. */
export const toHeadRun = <Run extends Pick<EvaluationRun, 'status'>>(runs: readonly Run[]): Run | null =>
  runs.find(isLasting) ?? runs[0] ?? null;

function toInterval<T>(query: Parameters<typeof toPollState<T>>[0], isActive: (data: T) => boolean): number | false {
  const { data, error, failures } = toPollState(query);
  const base = data !== undefined && isActive(data) ? ACTIVE_MS : SETTLED_MS;
  return error ? intervalOnError(base, failures, error) : base;
}

/** null: this studio keeps no evaluations. */
export const evaluationsQuery = (projectId: string) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluations', projectId],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluations', [], 'evaluations', { query: { project_id: projectId }, signal })
        .then(({ evaluations }) => evaluations)
        .catch(hideMissing),
    refetchInterval: (query) =>
      toInterval(query, (list) => list?.some(({ latest_run: run }) => run !== null && isGoingOn(run.status)) ?? false),
  });

export const evaluationRunsQuery = (id: string) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluation', id, 'runs'],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluations/{evaluationId}/runs', [id], 'runs', { signal }).then(({ runs }) => runs),
    refetchInterval: (query) => toInterval(query, (runs) => runs.some(({ status }) => isGoingOn(status))),
  });

export const evaluationVersionsQuery = (id: string, newest: number) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluation', id, 'versions', newest],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluations/{evaluationId}/versions', [id], 'versions', { signal }).then(
        ({ versions }) => versions,
      ),
    staleTime: Infinity,
  });

/** An earlier version of an evaluation, which stays as it is. */
export const evaluationVersionQuery = (id: string, version: number) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluation', id, 'version', version],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluations/{evaluationId}', [id], 'id', { query: { version: String(version) }, signal }),
    staleTime: Infinity,
  });

type RunState = Pick<EvaluationRun, 'id' | 'status' | 'judged' | 'done' | 'failed' | 'ended_at' | 'checks_version'>;

const toStateKey = ({ status, judged, done, failed, ended_at: ended, checks_version: checks }: RunState) =>
  [status, judged, done, failed, ended, checks].join(' ');

/** `run`: its state is part of the key, so that its scores come anew when it goes on. */
export const scoresQuery = (run: RunState) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluation-run', run.id, 'scores', toStateKey(run)],
    queryFn: ({ signal }) => ask('/api/v1/studio/evaluation-runs/{runId}/scores', [run.id], 'models', { signal }),
    // People judge without the run.
    staleTime: SETTLED_MS,
    refetchInterval: (query) => toInterval(query, () => false),
  });

export const answersQuery = (run: RunState, query: AnswersQuery) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluation-run', run.id, 'answers', query, toStateKey(run)],
    queryFn: ({ signal }) => ask('/api/v1/studio/evaluation-runs/{runId}/answers', [run.id], 'rows', { query, signal }),
    staleTime: SETTLED_MS,
  });

export const fieldsQuery = (run: RunState, model: string, scorer: string) =>
  queryOptions({
    ...POLLED,
    // Each reading judges all answers of the model: not with each of them.
    queryKey: ['evaluation-run', run.id, 'fields', model, scorer, run.checks_version, run.status],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluation-runs/{runId}/fields', [run.id], 'fields', {
        query: { model, scorer },
        signal,
      }),
    staleTime: Infinity,
  });

export const wholeAnswerQuery = (runId: string, position: number, model: string, repeat: number) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluation-run', runId, 'answer', position, model, repeat],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluation-runs/{runId}/answers/{position}', [runId, String(position)], 'request', {
        query: { model, repeat: String(repeat) },
        signal,
      }),
    staleTime: Infinity,
  });

/** Programs of people that may judge answers. */
export const evaluatorsQuery = () =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluators'],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluators', [], 'evaluators', { signal }).then(({ evaluators }) =>
        evaluators.map(({ name }) => name),
      ),
    staleTime: 60_000,
  });

/** What people judged in a run. */
export const judgementResultsQuery = (runId: string) =>
  queryOptions({
    ...POLLED,
    queryKey: ['evaluation-run', runId, 'judgement-results'],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/evaluation-runs/{runId}/judgement-results', [runId], 'people', { signal }),
    refetchInterval: (query) => toInterval(query, () => false),
  });
