// Ways to chat with the saved weights of runs.
import { SERVING } from '#features/serving/shared/servingEndpoints.ts';
import { CannotServe } from './cannotServe.ts';
import type { FoundCheckpoint } from './foundCheckpoint.ts';
import type { Serving } from './serving.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { Route } from '#service/http/route.ts';
import { sendDownload } from '#service/http/sendDownload.ts';

export interface ServingDeps {
  readonly serving: Serving;
  /** null: there is no such run or checkpoint. */
  readonly findCheckpoint: (runId: string, path: string) => Promise<FoundCheckpoint | null>;
}

/** The route table's part for serving. */
export function toServingRoutes({ serving, findCheckpoint }: ServingDeps): readonly Route[] {
  async function find(runId: string, path: string): Promise<FoundCheckpoint> {
    const found = await findCheckpoint(runId, path);
    if (found) return found;
    throw new HttpProblem(
      404,
      'There is no such checkpoint. It may have been deleted by the trainer: reload the run.',
      {
        param: 'checkpoint',
        code: 'checkpoint_not_found',
      },
    );
  }
  /** What can't be done is the caller's to change; the message says how. */
  async function refuse<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof CannotServe) throw new HttpProblem(422, error.message, { code: 'cannot_serve' });
      throw error;
    }
  }
  return [
    toRoute(SERVING.listServingWays, async ({ params, query }) =>
      serving.offer(await find(params.runId, query.checkpoint)),
    ),
    toRoute(SERVING.serveCheckpoint, async ({ params, body }) => {
      const checkpoint = await find(params.runId, body.checkpoint);
      return { model_id: await refuse(serving.serve(checkpoint, body)) };
    }),
    toRoute(SERVING.downloadGguf, async ({ params, query, context }) => {
      const checkpoint = await find(params.runId, query.checkpoint);
      const { name, bytes, pieces, close } = await refuse(serving.take(checkpoint, query));
      return sendDownload(context, { name, bytes, open: () => pieces, close });
    }),
    toRoute(SERVING.stopServing, async ({ params: { modelId } }) => {
      if (await refuse(serving.stop(modelId))) return;
      throw new HttpProblem(404, `No model ${modelId} is served from a run.`, {
        param: 'modelId',
        code: 'model_not_found',
      });
    }),
  ];
}
