// Jobs and trainings over HTTP: start, watch, end, queue; recommendations that are asked for.
import { toIssue } from '#core/contract/issues.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import {
  createJobSchema,
  generateRecommendationSchema,
  idempotencyKeySchema,
} from '#features/training/shared/createJob.ts';
import { IDEMPOTENCY_HEADER, TRAINING_ROUTES } from '#features/training/shared/trainingRoutes.ts';
import { logQuerySchema, progressQuerySchema, queueOrderSchema } from '#features/training/shared/trainingRecords.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { TrainingProblem } from '#features/training/server/trainer.ts';
import { sendTaken } from './sendTaken.ts';
import type { Training } from '#features/training/server/training.ts';
import { sendTagged } from '#service/http/etag.ts';
import { HttpProblem } from '#service/http/problem.ts';
import { sendJson, uuidParam, type Route, type RouteContext } from '#service/http/route.ts';
import { readBody, readQuery } from '#service/http/parsedBody.ts';

const SMALL_BYTES = 64 * 1024;

/** Runs are trained all the time. */
const RETRY = { 'Retry-After': '60' };

/** What can't be done is the caller's to change; the message says how. */
async function refuse<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TrainingProblem)) throw error;
    const { status, message, code, param } = error;
    throw new HttpProblem(status, message, { code, param, headers: status === 429 ? RETRY : undefined });
  }
}

function found<Value>(value: Value | null, kind: 'job' | 'experiment' | 'snapshot', id: string, param: string): Value {
  if (value !== null) return value;
  throw new HttpProblem(404, `There is no ${kind} ${id} in this studio that it trains. Check the id.`, {
    param,
    code: `${kind}_not_found`,
  });
}

/** null: none was sent. Throws HttpProblem 400. */
function readKey(context: RouteContext): string | null {
  const key = context.req.header(IDEMPOTENCY_HEADER);
  if (key === undefined) return null;
  const read = idempotencyKeySchema.safeParse(key);
  if (read.success) return key;
  throw new HttpProblem(400, toIssue(read.error.issues, IDEMPOTENCY_HEADER).message, {
    param: IDEMPOTENCY_HEADER,
    code: 'invalid_idempotency_key',
  });
}

export interface TrainingRouteDeps {
  readonly training: Training;
  readonly studio: Pick<Studio, 'generateRecommendation'>;
}

export function toTrainingRoutes({ training, studio }: TrainingRouteDeps): readonly Route[] {
  const experimentRoute = (path: string, act: (id: string) => Promise<true | null>): Route => ({
    method: 'POST',
    path,
    async handle(context) {
      const id = uuidParam(context, 'experimentId');
      found(await refuse(act(id)), 'experiment', id, 'experimentId');
      return sendJson(await training.findProgress(id, Number.MAX_SAFE_INTEGER));
    },
  });
  const noModel = (id: string): HttpProblem =>
    new HttpProblem(
      404,
      `The experiment ${id} has no model that is a file of this studio. Wait until it has succeeded.`,
      { param: 'experimentId', code: 'model_not_found' },
    );
  return [
    {
      method: 'POST',
      path: TRAINING_ROUTES.createJob,
      async handle(context) {
        const key = readKey(context);
        const request = await readBody(context, createJobSchema, REQUEST_LIMITS.bodyBytes);
        const job_id = await refuse(training.createJob(request, key, context.get('who')));
        context.set('node', job_id);
        return sendJson({ job_id }, 201);
      },
    },
    {
      method: 'POST',
      path: TRAINING_ROUTES.preview,
      async handle(context) {
        const request = await readBody(context, createJobSchema, REQUEST_LIMITS.bodyBytes);
        return sendJson({ runs: await training.previewJob(request) });
      },
    },
    {
      method: 'POST',
      path: TRAINING_ROUTES.generateRecommendation,
      async handle(context) {
        const { snapshot_id: id } = await readBody(context, generateRecommendationSchema, SMALL_BYTES);
        const begun = await studio.generateRecommendation(id.toLowerCase());
        const { snapshot_id } = found(begun, 'snapshot', id, 'snapshot_id');
        context.set('node', snapshot_id);
        return sendJson({ snapshot_id }, 202);
      },
    },
    {
      method: 'POST',
      path: TRAINING_ROUTES.duplicateJob,
      async handle(context) {
        const id = uuidParam(context, 'jobId');
        const made = await refuse(training.duplicateJob(id, readKey(context), context.get('who')));
        const job_id = found(made, 'job', id, 'jobId');
        context.set('node', job_id);
        return sendJson({ job_id }, 201);
      },
    },
    {
      method: 'POST',
      path: TRAINING_ROUTES.cancelJob,
      async handle(context) {
        const id = uuidParam(context, 'jobId');
        found(await refuse(training.cancelJob(id)), 'job', id, 'jobId');
        return sendJson({ job_id: id });
      },
    },
    experimentRoute(TRAINING_ROUTES.cancelExperiment, (id) => training.endRun(id, 'cancel')),
    experimentRoute(TRAINING_ROUTES.stopExperiment, (id) => training.endRun(id, 'stop')),
    experimentRoute(TRAINING_ROUTES.resumeExperiment, (id) => training.resumeRun(id)),
    {
      method: 'GET',
      path: TRAINING_ROUTES.training,
      handle: async (context) =>
        sendTagged(JSON.stringify(await training.readQueue()), context.req.header('If-None-Match')),
    },
    {
      method: 'GET',
      path: TRAINING_ROUTES.bases,
      load: 'page',
      handle: async (context) =>
        sendTagged(JSON.stringify(await training.listBases()), context.req.header('If-None-Match')),
    },
    {
      method: 'PUT',
      path: TRAINING_ROUTES.queue,
      async handle(context) {
        const { experiment_ids } = await readBody(context, queueOrderSchema, SMALL_BYTES);
        await refuse(training.reorder(experiment_ids));
        return sendJson(await training.readQueue());
      },
    },
    {
      method: 'GET',
      path: TRAINING_ROUTES.progress,
      load: 'page',
      async handle(context) {
        const id = uuidParam(context, 'experimentId');
        // Nothing of a run is before step 0.
        const { since = -1 } = readQuery(context, progressQuerySchema);
        const progress = await training.findProgress(id, since);
        const body = JSON.stringify(found(progress, 'experiment', id, 'experimentId'));
        return sendTagged(body, context.req.header('If-None-Match'));
      },
    },
    {
      method: 'GET',
      path: TRAINING_ROUTES.log,
      load: 'page',
      async handle(context) {
        const id = uuidParam(context, 'experimentId');
        const { from = 0 } = readQuery(context, logQuerySchema);
        const log = await training.findLog(id, from);
        return sendTagged(
          JSON.stringify(found(log, 'experiment', id, 'experimentId')),
          context.req.header('If-None-Match'),
        );
      },
    },
    {
      method: 'GET',
      path: TRAINING_ROUTES.command,
      async handle(context) {
        const id = uuidParam(context, 'experimentId');
        return sendJson(found(await training.findCommand(id), 'experiment', id, 'experimentId'));
      },
    },
    {
      method: 'GET',
      path: TRAINING_ROUTES.takeAway,
      load: 'render',
      async handle(context) {
        const id = uuidParam(context, 'experimentId');
        const taken = await training.findTakeAway(id);
        if (taken !== null) return sendJson(taken);
        throw noModel(id);
      },
    },
    {
      method: 'GET',
      path: TRAINING_ROUTES.takenFile,
      load: 'file',
      async handle(context) {
        const id = uuidParam(context, 'experimentId');
        const name = context.req.param('name') ?? '';
        const content = await training.findTakenFile(id, name);
        if (content !== null) return sendTaken(context, content);
        if ((await training.findTakeAway(id)) === null) throw noModel(id);
        throw new HttpProblem(404, `The model has no file ${name.slice(0, 100)}. GET take-away lists its files.`, {
          param: 'name',
          code: 'file_not_found',
        });
      },
    },
  ];
}
