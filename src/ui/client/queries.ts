// The dashboard's queries. Each endpoint has its key, its fetcher, how long an answer is fresh, and when it is polled.
import { queryOptions } from '@tanstack/react-query';
import type { ModelEntry } from '#core/contract/completion.ts';
import { readJob, type ReadJob } from '#core/contract/jobReader.ts';
import { readProjectList, type TreeNode } from '#core/contract/projectReader.ts';
import { readRecommendation, type ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { toPath } from '#core/contract/path.ts';
import type { Examples } from '#core/contract/sessionInfo.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { ProjectSummary } from '#core/contract/tree.ts';
import { readExamples, readModels } from './answers.ts';
import { ask } from './call.ts';
import { createLimiter } from './concurrencyLimit.ts';
import { openLineReader, type LineLimits, type ReadLines } from './lineReader.ts';
import { idleInterval, jobInterval, recommendationInterval, treeInterval } from './polling.ts';
import { requestProject } from './projectAnswer.ts';
import { BASE, fetchJson, hideMissing, POLLED, toPollState } from './queryRules.ts';
import { requestPieces, requestText, SAME_ORIGIN, type Connection } from './request.ts';

/** The service behind this page. 401 when signed out: see isSignedOut. */
export function sessionQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['session'],
    queryFn: ({ signal }) => ask('/api/session', [], 'mode', { signal, connection }),
    staleTime: Infinity,
  });
}

/** The projects to choose from; null: the service can't list them. */
export function projectsQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['projects'],
    queryFn: ({ signal }): Promise<readonly ProjectSummary[] | null> =>
      fetchJson('/api/v1/public/projects', readProjectList, signal, connection).catch(hideMissing),
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
        () =>
          fetchJson(
            toPath('/api/v1/public/recommendations/{snapshotId}', [snapshotId]),
            readRecommendation,
            signal,
            connection,
          ),
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
      jobsLimiter.run(
        () =>
          fetchJson(toPath('/api/v1/public/finetuning/{jobId}', [jobId]), readJob, signal, connection).catch(
            hideMissing,
          ),
        signal,
      ),
    staleTime: 60_000,
    refetchInterval: (query) => jobInterval(toPollState(query)),
    refetchIntervalInBackground: false,
    enabled: jobId !== '',
  });
}

const toRowsPath = (snapshotId: string, bucket: RowBucket): string =>
  toPath('/api/v1/studio/snapshots/{snapshotId}/rows', [snapshotId], { bucket });

/** Whether the service has the rows of a snapshot, so that a page can offer them. Reads none of them. */
export function rowsOfferQuery(snapshotId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['rows-offer', snapshotId],
    queryFn: async ({ signal }): Promise<boolean> => {
      const offer = await requestText(toRowsPath(snapshotId, 'training'), { method: 'HEAD', signal, connection }).catch(
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
      requestPieces(toRowsPath(snapshotId, bucket), { signal, connection }, () => openLineReader(limits)).catch(
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
      fetchJson('/api/v1/models', readModels, signal, connection).catch(hideMissing),
    staleTime: 15_000,
  });
}

/** Prompts of the kind that a model was trained for; null: there are none. */
export function examplesQuery(modelId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['examples', modelId],
    queryFn: ({ signal }): Promise<Examples | null> =>
      fetchJson(toPath('/api/examples/{modelId}', [modelId]), readExamples, signal, connection).catch(hideMissing),
    staleTime: Infinity,
    enabled: modelId !== '',
  });
}
