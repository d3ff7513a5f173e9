// Queries of trainings, and what people do with them. Only code that loads later imports this file.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { isActiveStatus } from '#core/contract/statuses.ts';
import type { CreateJob } from '#features/training/shared/createJob.ts';
import {
  readCreatedJob,
  readProgress,
  readTrainingBases,
  readTrainingLog,
  readTrainingQueue,
  type ReadProgress,
  type ReadQueue,
} from '#features/training/shared/trainingReader.ts';
import {
  readModelRunning,
  readTakeAway,
  readTrainingCommand,
  readTrainingPreview,
} from '#features/training/shared/takeAwayReader.ts';
import type {
  ModelRunning,
  TakeAway,
  TrainingAction,
  TrainingBases,
  TrainingCommand,
} from '#features/training/shared/trainingRecords.ts';
import {
  commandPath,
  experimentActionPath,
  IDEMPOTENCY_HEADER,
  jobActionPath,
  logPath,
  modelRunningPath,
  progressPath,
  takeAwayPath,
  TRAINING_ROUTES,
} from '#features/training/shared/trainingRoutes.ts';
import { toShapeFailure } from '#ui/client/failure.ts';
import { BASE, fetchJson, hideMissing, POLLED } from '#ui/client/queryRules.ts';
import { readJson, requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { appendLog, joinProgress, type HeldLog } from './joining.ts';

const LIVE_MS = 1000;
const QUEUE_MS = 3000;
const MEMORY_MS = 15_000;

/** The trainer and its queue, asked for each three seconds while something runs or waits; null: nothing trains here. */
export function trainingQueueQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-queue'],
    queryFn: ({ signal }): Promise<ReadQueue | null> =>
      fetchJson(TRAINING_ROUTES.training, readTrainingQueue, signal, connection).catch(hideMissing),
    staleTime: 1000,
    refetchInterval: ({ state: { data } }) =>
      data && (data.running.length > 0 || data.waiting.length > 0) ? QUEUE_MS : false,
  });
}

/** The models that are here as files: which of them can be trained, and their form; null: the service does not say. */
export function trainingBasesQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-bases'],
    queryFn: ({ signal }): Promise<TrainingBases | null> =>
      fetchJson(TRAINING_ROUTES.bases, readTrainingBases, signal, connection).catch(hideMissing),
    staleTime: 15_000,
  });
}

/** How far a run is, with all its points, asked for each second while it goes on; null: this studio does not train it. */
export function progressQuery(id: string, connection: Connection = SAME_ORIGIN) {
  const queryKey = ['training-progress', id] as const;
  return queryOptions({
    ...BASE,
    queryKey,
    queryFn: async ({ signal, client }): Promise<ReadProgress | null> => {
      const known = client.getQueryData<ReadProgress | null>(queryKey) ?? null;
      const since = known?.points.at(-1)?.step ?? -1;
      const next = await fetchJson(progressPath(id, since), readProgress, signal, connection).catch(hideMissing);
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
      const part = await fetchJson(logPath(id, known?.next ?? 0), readTrainingLog, signal, connection);
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
    queryFn: ({ signal }): Promise<TrainingCommand> =>
      fetchJson(commandPath(id), readTrainingCommand, signal, connection),
    staleTime: 60_000,
  });
}

/** What each run of a job would run that is not started. */
export function previewQuery(job: CreateJob, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['training-preview', job],
    queryFn: async (): Promise<readonly TrainingCommand[]> => {
      const answer = await requestText(TRAINING_ROUTES.preview, { method: 'POST', body: job, connection });
      const read = readTrainingPreview(readJson(answer));
      if (!read.ok) throw toShapeFailure(answer.status, answer.headers, read.reason);
      return read.value;
    },
    staleTime: 60_000,
  });
}

/** How a finished model is served elsewhere; null: it is no file here. */
export function takeAwayQuery(id: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['take-away', id],
    queryFn: ({ signal }): Promise<TakeAway | null> =>
      fetchJson(takeAwayPath(id), readTakeAway, signal, connection).catch(hideMissing),
    staleTime: 60_000,
  });
}

/** Whether a model is in memory, and what it takes there; null: the service does not say. */
export function modelRunningQuery(model: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...POLLED,
    queryKey: ['model-running', model],
    queryFn: ({ signal }): Promise<ModelRunning | null> =>
      fetchJson(modelRunningPath(model), readModelRunning, signal, connection).catch(hideMissing),
    staleTime: 1000,
    refetchInterval: ({ state: { data } }) => (data === null ? false : MEMORY_MS),
  });
}

/** What shows trainings is asked for again: trees, jobs, the queue, progress and models. */
export async function refreshTrainings(client: QueryClient): Promise<void> {
  const keys = ['project', 'job', 'training-queue', 'training-progress', 'models'];
  await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
}

/** Starts a job. The same key and request make it once, however often they are sent. Resolves to the job's id. */
export async function createJob(job: CreateJob, key: string, connection: Connection = SAME_ORIGIN): Promise<string> {
  const headers = { [IDEMPOTENCY_HEADER]: key };
  const answer = await requestText(TRAINING_ROUTES.createJob, { method: 'POST', body: job, headers, connection });
  const read = readCreatedJob(readJson(answer));
  if (!read.ok) throw toShapeFailure(answer.status, answer.headers, read.reason);
  return read.value;
}

/** Ends all runs of a job that go on. */
export async function cancelJob(jobId: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(jobActionPath(jobId, 'cancel'), { method: 'POST', connection });
}

export async function actOnRun(
  id: string,
  action: TrainingAction,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  await requestText(experimentActionPath(id, action), { method: 'POST', connection });
}

/** Puts these runs first in the queue, in this order. */
export async function orderQueue(ids: readonly string[], connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(TRAINING_ROUTES.queue, { method: 'PUT', body: { experiment_ids: ids }, connection });
}
