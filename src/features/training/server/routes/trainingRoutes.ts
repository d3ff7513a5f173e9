// Jobs and trainings over HTTP: start, watch, end, queue; recommendations that are asked for.
import { IDEMPOTENCY_HEADER } from '#features/training/shared/idempotency.ts';
import { TRAINING } from '#features/training/shared/trainingEndpoints.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { sendTaken } from './sendTaken.ts';
import type { Training } from '#features/training/server/openTraining.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import type { Route } from '#service/http/route.ts';

export interface TrainingRouteDeps {
  readonly training: Training;
  readonly studio: Pick<Studio, 'generateRecommendation'>;
}

export function toTrainingRoutes({ training, studio }: TrainingRouteDeps): readonly Route[] {
  const experimentRoute = (
    endpoint: typeof TRAINING.cancelExperiment | typeof TRAINING.stopExperiment | typeof TRAINING.resumeExperiment,
    act: (id: string) => Promise<true | null>,
  ): Route =>
    toRoute(endpoint, async ({ params: { experimentId } }) => {
      found(await act(experimentId), 'experiment', experimentId);
      return found(await training.findProgress(experimentId, Number.MAX_SAFE_INTEGER), 'experiment', experimentId);
    });
  const noModel = (id: string): HttpProblem =>
    new HttpProblem(
      404,
      `The experiment ${id} has no model that is a file of this studio. Wait until it has succeeded.`,
      { param: 'experimentId', code: 'model_not_found' },
    );
  return [
    toRoute(TRAINING.createJob, async ({ headers, body, context }) => {
      const key = headers[IDEMPOTENCY_HEADER] ?? null;
      const job_id = await training.createJob(body, key, context.get('who'));
      context.set('node', job_id);
      return { job_id };
    }),
    toRoute(TRAINING.previewJob, async ({ body }) => ({ runs: await training.previewJob(body) })),
    toRoute(TRAINING.generateRecommendation, async ({ body: { snapshot_id: id }, context }) => {
      const begun = await studio.generateRecommendation(id.toLowerCase());
      const { snapshot_id } = found(begun, 'snapshot', id, 'snapshot_id');
      context.set('node', snapshot_id);
      return { snapshot_id };
    }),
    toRoute(TRAINING.duplicateJob, async ({ params: { jobId }, headers, context }) => {
      const key = headers[IDEMPOTENCY_HEADER] ?? null;
      const job_id = found(await training.duplicateJob(jobId, key, context.get('who')), 'job', jobId);
      context.set('node', job_id);
      return { job_id };
    }),
    toRoute(TRAINING.cancelJob, async ({ params: { jobId } }) => {
      found(await training.cancelJob(jobId), 'job', jobId);
      return { job_id: jobId };
    }),
    experimentRoute(TRAINING.cancelExperiment, (id) => training.endRun(id, 'cancel')),
    experimentRoute(TRAINING.stopExperiment, (id) => training.endRun(id, 'stop')),
    experimentRoute(TRAINING.resumeExperiment, (id) => training.resumeRun(id)),
    toRoute(TRAINING.getTrainingQueue, async () => training.readQueue()),
    toRoute(TRAINING.getTrainingBases, async () => training.listBases()),
    toRoute(TRAINING.listLaunchers, async () => training.listLaunchers()),
    toRoute(TRAINING.getTrainingObjectives, async ({ params: { snapshotId } }) =>
      found(await training.describeObjectives(snapshotId), 'snapshot', snapshotId),
    ),
    toRoute(TRAINING.orderTrainingQueue, async ({ body: { experiment_ids } }) => {
      await training.reorder(experiment_ids);
      return training.readQueue();
    }),
    // Nothing of a run is before step 0.
    toRoute(TRAINING.getTrainingProgress, async ({ params: { experimentId }, query: { since = -1 } }) => {
      const progress = await training.findProgress(experimentId, since);
      if (progress === null) found(await training.hasExperiment(experimentId), 'experiment', experimentId);
      return progress;
    }),
    toRoute(TRAINING.getTrainingLog, async ({ params: { experimentId }, query: { from = 0 } }) =>
      found(await training.findLog(experimentId, from), 'experiment', experimentId),
    ),
    toRoute(TRAINING.getTrainingCommand, async ({ params: { experimentId } }) =>
      found(await training.findCommand(experimentId), 'experiment', experimentId),
    ),
    toRoute(TRAINING.getTakeAway, async ({ params: { experimentId } }) => {
      const taken = await training.findTakeAway(experimentId);
      if (taken !== null) return taken;
      throw noModel(experimentId);
    }),
    toRoute(TRAINING.downloadModelFile, async ({ params: { experimentId, name }, context }) => {
      const content = await training.findTakenFile(experimentId, name);
      if (content !== null) return sendTaken(context, content);
      if ((await training.findTakeAway(experimentId)) === null) throw noModel(experimentId);
      throw new HttpProblem(404, `The model has no file ${name.slice(0, 100)}. GET take-away lists its files.`, {
        param: 'name',
        code: 'file_not_found',
      });
    }),
  ];
}
