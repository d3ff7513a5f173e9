// Queries of trainings, and what people do with them. Only code that loads later imports this file.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { isActiveStatus } from '#core/contract/statuses.ts';
import type { CreateJob } from '#features/training/shared/createJob.ts';
import { IDEMPOTENCY_HEADER } from '#features/training/shared/idempotency.ts';
import type { TrainingAction, TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { ask, send } from '#ui/client/call.ts';
import { BASE, hideMissing, POLLED } from '#ui/client/queryRules.ts';
import { requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { appendLog, joinProgress, type HeldLog } from './mergeProgress.ts';

const LIVE_MS = 1000;
const QUEUE_MS = 3000;
const MEMORY_MS = 15_000;

/** The trainer and its queue, asked for each three seconds while something runs or waits; null: nothing trains here. */
export function trainingQueueQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-queue'],
    queryFn: ({ signal }) => ask('/api/v1/studio/training', [], 'waiting', { signal, connection }).catch(hideMissing),
    staleTime: 1000,
    refetchInterval: ({ state: { data } }) =>
      data && (data.running.length > 0 || data.waiting.length > 0) ? QUEUE_MS : false,
  });
}

/** The clusters that runs can be given to; null: the service does not say. */
export function launchersQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['launchers'],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/launchers', [], 'launchers', { signal, connection }).catch(hideMissing),
    staleTime: 15_000,
  });
}

/** The models that are here as files: which of them can be trained, and their form; null: the service does not say. */
export function trainingBasesQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-bases'],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/training/bases', [], 'bases', { signal, connection }).catch(hideMissing),
    staleTime: 15_000,
  });
}

/** What a training of a snapshot may learn from; null: the service does not say. */
export function objectivesQuery(snapshotId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-objectives', snapshotId],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/snapshots/{snapshotId}/objectives', [snapshotId], 'objectives', {
        signal,
        connection,
      }).catch(hideMissing),
    staleTime: 60_000,
  });
}

/** How far a run is, with all its points, asked for each second while it goes on; null: it was trained elsewhere. */
export function progressQuery(id: string, connection: Connection = SAME_ORIGIN) {
  const queryKey = ['training-progress', id] as const;
  return queryOptions({
    ...BASE,
    queryKey,
    queryFn: async ({ signal, client }): Promise<TrainingProgress | null> => {
      const known = client.getQueryData<TrainingProgress | null>(queryKey) ?? null;
      const query = { since: known?.points.at(-1)?.step };
      const next = await ask('/api/v1/studio/experiments/{experimentId}/progress', [id], 'points', {
        query,
        signal,
        connection,
        isNullable: true,
      }).catch(hideMissing);
      return joinProgress(known, next);
    },
    staleTime: 500,
    refetchInterval: ({ state: { data } }) => (data && isActiveStatus(data.status) ? LIVE_MS : false),
    enabled: id !== '',
  });
}

/** The end of a run's log, bounded. It grows while the run goes on. */
export function logQuery(id: string, isActive: boolean, connection: Connection = SAME_ORIGIN) {
  const queryKey = ['training-log', id] as const;
  return queryOptions({
    ...BASE,
    queryKey,
    queryFn: async ({ signal, client }): Promise<HeldLog> => {
      const known = client.getQueryData<HeldLog>(queryKey);
      const query = { from: known?.next };
      const part = await ask('/api/v1/studio/experiments/{experimentId}/log', [id], 'text', {
        query,
        signal,
        connection,
      });
      return appendLog(known, part);
    },
    staleTime: 500,
    refetchInterval: isActive ? LIVE_MS : false,
  });
}

/** What exactly runs, as it was or will be. */
export function commandQuery(id: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-command', id],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/experiments/{experimentId}/command', [id], 'command', { signal, connection }),
    staleTime: 60_000,
  });
}

/** What each run of a job would run that is not started. */
export function previewQuery(job: CreateJob, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-preview', job],
    queryFn: async () =>
      (await send('POST', '/api/v1/studio/training/preview', [], { body: job, field: 'runs', connection })).runs,
    staleTime: 60_000,
  });
}

/** How a finished model is served elsewhere; null: it is no file here. */
export function takeAwayQuery(id: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['take-away', id],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/experiments/{experimentId}/take-away', [id], 'files', { signal, connection }).catch(
        hideMissing,
      ),
    staleTime: 60_000,
  });
}

/** Whether a model is in memory, and what it takes there; null: the service does not say. */
export function modelRunningQuery(model: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...POLLED,
    queryKey: ['model-running', model],
    queryFn: ({ signal }) =>
      ask('/api/v1/models/running', [], 'status', { query: { model }, signal, connection }).catch(hideMissing),
    staleTime: 1000,
    refetchInterval: ({ state: { data } }) => (data === null ? false : MEMORY_MS),
  });
}

/** Loads a model and keeps it in memory, or frees it. Services answer with different bodies, or none. Throws ApiFailure. */
export async function setModelRunning(
  model: string,
  isWanted: boolean,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  await requestText(`/api/v1/models/${isWanted ? 'up' : 'down'}`, { method: 'POST', body: { model }, connection });
}

/** What shows trainings is asked for again: trees, jobs, the queue, progress and models. */
export async function refreshTrainings(client: QueryClient): Promise<void> {
  const keys = ['project', 'job', 'training-queue', 'training-progress', 'models'];
  await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
}

/** Starts a job. The same key and request make it once, however often they are sent. Resolves to the job's id. */
export async function createJob(job: CreateJob, key: string, connection: Connection = SAME_ORIGIN): Promise<string> {
  const headers = { [IDEMPOTENCY_HEADER]: key };
  const path = '/api/v1/public/finetuning/create';
  const made = await send('POST', path, [], { body: job, field: 'job_id', headers, connection });
  return made.job_id;
}

/** Ends all runs of a job that go on. */
export async function cancelJob(jobId: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await send('POST', '/api/v1/studio/jobs/{jobId}/cancel', [jobId], { connection });
}

export async function actOnRun(
  id: string,
  action: TrainingAction,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  await send('POST', `/api/v1/studio/experiments/{experimentId}/${action}`, [id], { connection });
}

/** Puts these runs first in the queue, in this order. */
export async function orderQueue(ids: readonly string[], connection: Connection = SAME_ORIGIN): Promise<void> {
  const body = { experiment_ids: ids };
  await send('PUT', '/api/v1/studio/training/queue', [], { body, connection });
}
