import { expect, it } from 'vitest';
import type { Route } from '#service/http/route.ts';
import { toActivityRoutes } from '#features/access/server/routes/activityRoutes.ts';
import { toDataRoutes } from '#features/datasets/server/routes/dataRoutes.ts';
import { toLocalRoutes } from '#app/server/localRoutes.ts';
import { toServingRoutes } from '#features/serving/server/servingRoutes.ts';
import { toModelRoutes } from '#features/training/server/routes/modelRoutes.ts';
import { toTrainingRoutes } from '#features/training/server/routes/trainingRoutes.ts';
import { toWorkerRoutes } from '#features/training/server/routes/workerRoutes.ts';
import { toTransferRoutes } from '#features/project-files/server/routes/transferRoutes.ts';

/** Their answers come from memory, or from some records of the database; or a lease bounds them. */
const CHEAP = new Set<string>([
  '/api/v1/public/projects',
  '/api/v1/public/projects/{projectId}',
  '/api/v1/public/recommendations/{snapshotId}',
  '/api/v1/public/finetuning/{jobId}',
  '/api/v1/models',
  '/api/v1/models/{modelId}',
  '/api/v1/studio/run-roots',
  '/api/v1/studio/runs/{runId}',
  '/api/v1/studio/activity',
  '/api/v1/studio/launchers',
  '/api/v1/public/datasets/{datasetId}',
  '/api/v1/studio/deleted',
  '/api/v1/studio/training',
  '/api/v1/studio/experiments/{experimentId}/command',
  '/api/v1/models/running',
  '/api/v1/studio/workers/leases/{leaseId}/input/{name}',
  '/api/v1/studio/workers/leases/{leaseId}/output/{name}',
]);

it('every GET that may take long is bounded', () => {
  const none = {} as never;
  const routes: readonly Route[] = [
    ...toLocalRoutes({ studio: none, engine: none, runs: none, streams: none, now: none, random: none, report: none }),
    ...toDataRoutes(none),
    ...toTransferRoutes(none),
    ...toTrainingRoutes({ training: none, studio: none }),
    ...toWorkerRoutes(none),
    ...toModelRoutes({ engine: none, residence: none }),
    ...toServingRoutes({ serving: none, findCheckpoint: none }),
    ...toActivityRoutes(none),
  ];
  const unbounded = routes.filter(({ method, load }) => method === 'GET' && load === undefined);
  expect(new Set(unbounded.map(({ path }) => path))).toEqual(CHEAP);
});
