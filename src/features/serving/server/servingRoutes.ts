// Ways to chat with the saved weights of runs.
import { ROUTES } from '#core/contract/routes.ts';
import { ggufQuerySchema, servingQuerySchema, servingRequestSchema } from '#features/serving/shared/serving.ts';
import { CannotServe } from './cannotServe.ts';
import type { FoundCheckpoint, Serving } from './serving.ts';
import { HttpProblem } from '#service/http/problem.ts';
import { sendJson, uuidParam, type Route, type RouteContext } from '#service/http/route.ts';
import { sendDownload } from '#service/http/sendDownload.ts';
import { readBody, readQuery } from '#service/http/parsedBody.ts';

export interface ServingDeps {
  readonly serving: Serving;
  /** null: there is no such run or checkpoint. */
  readonly findCheckpoint: (runId: string, path: string) => Promise<FoundCheckpoint | null>;
}

const REQUEST_BYTES = 64 * 1024;

/** The route table's part for serving. */
export function toServingRoutes({ serving, findCheckpoint }: ServingDeps): readonly Route[] {
  async function find(context: RouteContext, path: string): Promise<FoundCheckpoint> {
    const runId = uuidParam(context, 'runId');
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
    {
      method: 'GET',
      path: ROUTES.serving,
      load: 'folder',
      handle: async (context) =>
        sendJson(await serving.offer(await find(context, readQuery(context, servingQuerySchema).checkpoint))),
    },
    {
      method: 'POST',
      path: ROUTES.serving,
      async handle(context) {
        const request = await readBody(context, servingRequestSchema, REQUEST_BYTES);
        const checkpoint = await find(context, request.checkpoint);
        return sendJson({ model_id: await refuse(serving.serve(checkpoint, request)) }, 201);
      },
    },
    {
      method: 'GET',
      path: ROUTES.gguf,
      load: 'file',
      async handle(context) {
        const query = readQuery(context, ggufQuerySchema);
        const { name, bytes, pieces, close } = await refuse(serving.take(await find(context, query.checkpoint), query));
        return sendDownload(context, { name, bytes, open: () => pieces, close });
      },
    },
    {
      method: 'DELETE',
      path: ROUTES.served,
      async handle(context) {
        const modelId = context.req.param('modelId') ?? '';
        if (await refuse(serving.stop(modelId))) return new Response(null, { status: 204 });
        throw new HttpProblem(404, `No model ${modelId} is served from a run.`, {
          param: 'modelId',
          code: 'model_not_found',
        });
      },
    },
  ];
}
