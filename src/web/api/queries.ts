// The dashboard's queries. Each endpoint has its key, its fetcher, how long an answer is fresh, and when it is polled.
import { queryOptions } from '@tanstack/react-query';
import type { ModelEntry } from '#shared/contract/completion.ts';
import { readJob, type ReadJob } from '#shared/contract/jobReader.ts';
import { readProjectList, type TreeNode } from '#shared/contract/projectReader.ts';
import type { Read } from '#shared/contract/reading.ts';
import { readRecommendation, type ReadRecommendation } from '#shared/contract/recommendationReader.ts';
import {
  examplesPath,
  jobPath,
  recommendationPath,
  ROUTES,
  rowsPath,
  type Examples,
  type SessionInfo,
} from '#shared/contract/routes.ts';
import type { RowBucket } from '#shared/contract/rowsFile.ts';
import type { ProjectSummary } from '#shared/contract/tree.ts';
import { readExamples, readModels, readSession } from './answers.ts';
import { ApiFailure, isMissing, toShapeFailure } from './failure.ts';
import { createLimiter } from './limiter.ts';
import { openLineReader, type LineLimits, type ReadLines } from './lineReader.ts';
import {
  idleInterval,
  hasToWait,
  isRetryable,
  jobInterval,
  recommendationInterval,
  retryDelay,
  treeInterval,
  type PollState,
} from './polling.ts';
import { requestProject } from './projectAnswer.ts';
import { announceUnreachable } from './reachability.ts';
import { readJson, requestPieces, requestText, SAME_ORIGIN, type Connection } from './request.ts';

const MAX_RETRIES = 2;

/** Shared options. A studio on this machine answers without a network, so being "offline" never pauses a query. */
const BASE = {
  networkMode: 'always',
  retry: (count: number, error: Error) => count < MAX_RETRIES && error instanceof ApiFailure && isRetryable(error),
  retryDelay: (count: number, error: Error) => retryDelay(count, error, Math.random()),
  refetchOnWindowFocus: ({
    state,
  }: {
    readonly state: { readonly error: Error | null; readonly errorUpdatedAt: number };
  }) => !hasToWait(state, Date.now()),
} as const;

/** A polled query repeats at its growing interval, and at once only where that costs nothing. */
const POLLED = {
  ...BASE,
  retry: (count: number, error: Error) => BASE.retry(count, error) && !(error instanceof ApiFailure && error.isCostly),
} as const;

async function fetchJson<T>(
  path: string,
  read: (body: unknown) => Read<T>,
  signal: AbortSignal,
  connection: Connection,
): Promise<T> {
  const answer = await requestText(path, { signal, connection }).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.kind === 'network') announceUnreachable();
    throw error;
  });
  const result = read(readJson(answer));
  if (!result.ok) throw toShapeFailure(answer.status, answer.headers, result.reason);
  return result.value;
}

/** For an endpoint that is not in SPEC: a service without it answers 404, and the page hides that part. */
function hideMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** The part of React Query's `Query` that polling reads. */
interface PolledQuery<T> {
  readonly state: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly dataUpdateCount: number;
    readonly errorUpdateCount: number;
  };
}

const streaks = new WeakMap<object, { readonly answers: number; readonly errors: number }>();

/** A query's state for polling. React Query counts errors over all time; here they count since the last answer. */
function toPollState<T>(query: PolledQuery<T>): PollState<T> {
  const { state } = query;
  const known = streaks.get(query);
  const streak =
    known && known.answers === state.dataUpdateCount
      ? known
      : { answers: state.dataUpdateCount, errors: state.errorUpdateCount - (state.error ? 1 : 0) };
  streaks.set(query, streak);
  return { data: state.data, error: state.error, failures: state.errorUpdateCount - streak.errors };
}

/** The service behind this page. 401 when signed out: see isSignedOut. */
export function sessionQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['session'],
    queryFn: ({ signal }): Promise<SessionInfo> => fetchJson(ROUTES.session, readSession, signal, connection),
    staleTime: Infinity,
  });
}

/** The projects to choose from; null: the service can't list them. */
export function projectsQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['projects'],
    queryFn: ({ signal }): Promise<readonly ProjectSummary[] | null> =>
      fetchJson(ROUTES.projects, readProjectList, signal, connection).catch(hideMissing),
    staleTime: 30_000,
  });
}

/** Polled while no project is open: shows whether the studio answers, and finds new projects. */
export function polledProjectsQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...projectsQuery(connection),
    refetchInterval: (query) => (query.state.data === null ? false : idleInterval(toPollState(query))),
    refetchIntervalInBackground: false,
  });
}

/** Used instead where the service can't list its projects. */
export function polledSessionQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...sessionQuery(connection),
    refetchInterval: (query) => idleInterval(toPollState(query)),
    refetchIntervalInBackground: false,
  });
}

/** A project's tree (SPEC 4.1), polled. Unchanged nodes keep their identity; an unchanged answer is the same object. */
export function projectQuery(id: string, connection: Connection = SAME_ORIGIN) {
  const queryKey = ['project', id] as const;
  return queryOptions({
    ...POLLED,
    queryKey,
    queryFn: ({ signal, client }): Promise<TreeNode> =>
      requestProject({ id, previous: client.getQueryData<TreeNode>(queryKey), signal, connection }),
    structuralSharing: false,
    staleTime: 1000,
    refetchInterval: (query) => treeInterval(toPollState(query)),
    refetchIntervalInBackground: false,
  });
}

const firstSeen = new WeakMap<ReadRecommendation, number>();

/** When this answer was first seen, in Unix milliseconds. Equal answers keep their identity. */
function seenAt(answer: ReadRecommendation | undefined, now: number): number {
  if (!answer) return now;
  const known = firstSeen.get(answer) ?? now;
  firstSeen.set(answer, known);
  return known;
}

/** Browsers open six connections to a host: a link of many runs must leave some for the tree and the streams. */
const recordsLimiter = createLimiter(2);
const jobsLimiter = createLimiter(3);

/** A snapshot's recommendation (SPEC 4.2), polled until it is completed or failed. */
export function recommendationQuery(snapshotId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...POLLED,
    queryKey: ['recommendation', snapshotId],
    queryFn: ({ signal }): Promise<ReadRecommendation> =>
      recordsLimiter.run(
        () => fetchJson(recommendationPath(snapshotId), readRecommendation, signal, connection),
        signal,
      ),
    staleTime: 1000,
    refetchInterval: (query) => {
      const now = connection.now();
      return recommendationInterval(toPollState(query), now - seenAt(query.state.data, now));
    },
    refetchIntervalInBackground: false,
  });
}

/** A job's experiments with their hyperparameters and losses; null: the service does not provide them. */
export function jobQuery(jobId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...POLLED,
    queryKey: ['job', jobId],
    queryFn: ({ signal }): Promise<ReadJob | null> =>
      jobsLimiter.run(() => fetchJson(jobPath(jobId), readJob, signal, connection).catch(hideMissing), signal),
    staleTime: 60_000,
    refetchInterval: (query) => jobInterval(toPollState(query)),
    refetchIntervalInBackground: false,
    enabled: jobId !== '',
  });
}

/** Whether the service has the rows of a snapshot, so that a page can offer them. Reads none of them. */
export function rowsOfferQuery(snapshotId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['rows-offer', snapshotId],
    queryFn: async ({ signal }): Promise<boolean> => {
      const offer = await requestText(rowsPath(snapshotId, 'training'), { method: 'HEAD', signal, connection }).catch(
        hideMissing,
      );
      return offer?.headers.get('content-type')?.includes('ndjson') ?? false;
    },
    staleTime: Infinity,
    enabled: snapshotId !== '',
  });
}

/** The first rows of a snapshot's part, up to the limits, each as JSON text; null: the service has none. */
export function rowsQuery(
  snapshotId: string,
  bucket: RowBucket,
  limits: LineLimits,
  connection: Connection = SAME_ORIGIN,
) {
  return queryOptions({
    ...BASE,
    queryKey: ['rows', snapshotId, bucket, limits],
    queryFn: ({ signal }): Promise<ReadLines | null> =>
      requestPieces(rowsPath(snapshotId, bucket), { signal, connection }, () => openLineReader(limits)).catch(
        hideMissing,
      ),
    // A snapshot never changes.
    staleTime: Infinity,
    enabled: snapshotId !== '',
  });
}

/** The models that the service can run; null: the service can't list them. */
export function modelsQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['models'],
    queryFn: ({ signal }): Promise<readonly ModelEntry[] | null> =>
      fetchJson(ROUTES.models, readModels, signal, connection).catch(hideMissing),
    staleTime: 15_000,
  });
}

/** Prompts of the kind that a model was trained for; null: there are none. */
export function examplesQuery(modelId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['examples', modelId],
    queryFn: ({ signal }): Promise<Examples | null> =>
      fetchJson(examplesPath(modelId), readExamples, signal, connection).catch(hideMissing),
    staleTime: Infinity,
    enabled: modelId !== '',
  });
}
