import { expect, it } from 'vitest';
import { ROUTES } from '#shared/contract/routes.ts';
import { ACCESS_ROUTES } from '#shared/contract/access/activity.ts';
import { DATA_ROUTES } from '#shared/contract/data/dataRoutes.ts';
import { TRAINING_ROUTES } from '#shared/contract/training/trainingRoutes.ts';
import { WORKER_ROUTES } from '#shared/contract/training/worker.ts';
import type { Route } from '#server/service/route.ts';
import { toActivityRoutes } from '#server/service/access/activityRoutes.ts';
import { toDataRoutes } from '#server/service/dataRoutes/dataRoutes.ts';
import { toLocalRoutes } from '#server/service/localRoutes.ts';
import { toServingRoutes } from '#server/service/studioRoutes/servingRoutes.ts';
import { toModelRoutes } from '#server/service/trainingRoutes/modelRoutes.ts';
import { toTrainingRoutes } from '#server/service/trainingRoutes/trainingRoutes.ts';
import { toWorkerRoutes } from '#server/service/trainingRoutes/workerRoutes.ts';
import { toTransferRoutes } from '#server/service/transferRoutes/transferRoutes.ts';

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
