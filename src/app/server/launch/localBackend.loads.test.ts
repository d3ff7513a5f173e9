import { expect, it } from 'vitest';
import { ROUTES } from '#core/contract/routes.ts';
import { ACCESS_ROUTES } from '#features/access/shared/activity.ts';
import { DATA_ROUTES } from '#features/datasets/shared/contract/dataRoutes.ts';
import { TRAINING_ROUTES } from '#features/training/shared/trainingRoutes.ts';
import { WORKER_ROUTES } from '#features/training/shared/worker.ts';
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
  ROUTES.projects,
  ROUTES.project,
  ROUTES.recommendation,
  ROUTES.job,
  ROUTES.models,
  ROUTES.model,
  ROUTES.runRoots,
  ROUTES.run,
  ACCESS_ROUTES.activity,
  DATA_ROUTES.dataset,
  DATA_ROUTES.deletedNodes,
  TRAINING_ROUTES.training,
  TRAINING_ROUTES.command,
  TRAINING_ROUTES.modelRunning,
  WORKER_ROUTES.input,
  WORKER_ROUTES.output,
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
