// The endpoints of the local studio: SPEC 4.1 to 4.3, and some that SPEC leaves out (lists of projects and models,
// jobs, rows, examples).
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { RunsUnavailable, type Runs } from '#features/runs/server/runs.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { CHAT_BODY_BYTES, toChatRoute, unknownModel, type ChatDeps } from '#features/playground/server/chatRoute.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { matchesEtag, sendTagged } from '#service/http/etag.ts';
import { toFunctionRoutes } from '#features/evaluation/server/functions/functionRoutes.ts';
import { openFunctionRunner } from '#features/evaluation/server/functions/functionRunner.ts';
import { toNoteRoutes } from '#features/notes/server/noteRoutes.ts';
import { openMemoryBudget } from '#service/http/memoryBudget.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import { toResponsesRoute } from '#features/playground/server/responsesRoute.ts';
import { toTextRoute } from '#features/playground/server/textRoute.ts';
import { sendRows } from '#features/datasets/server/routes/rowsRoute.ts';
import { sendJson, signalOf, type Route, type RouteContext } from '#service/http/route.ts';
import { toRunsRoutes } from '#features/runs/server/routes/runsRoutes.ts';
import { sendParts } from '#service/http/sendParts.ts';
import { acceptsEncoding } from '#service/http/staticFiles.ts';
import { openNotedTrees } from '#features/notes/server/notedTrees.ts';
import { openTreeBodies, type TreeBody } from '#service/http/treeBody.ts';

export interface LocalDeps extends ChatDeps {
  readonly studio: Studio;
  /** Missing: no folders are read. */
  readonly runs?: Runs;
}

/** What other trainers left, else what the studio has; also while the runs are away. */
async function findEither<T>(
  fromRuns: (() => Promise<T | null>) | undefined,
  fromStudio: () => Promise<T | null>,
): Promise<T | null> {
  let trouble: RunsUnavailable | null = null;
  const ofRuns = await fromRuns?.().catch((error: unknown) => {
    if (!(error instanceof RunsUnavailable)) throw error;
    trouble = error;
    return null;
  });
  const result = ofRuns ?? (await fromStudio());
  if (result === null && trouble !== null) throw trouble;
  return result;
}

/** Says why a snapshot of the runs of another trainer has no such thing. */
async function refuseRunSnapshot(runs: Runs | undefined, id: string, what: string): Promise<null> {
  const root = await runs?.findSnapshotRoot(id);
  if (root == null) return null;
  throw new HttpProblem(
    404,
    `There ${what} for this snapshot: it stands for the data of the runs in ${root}, and those runs did not record ` +
      'their rows.',
    { param: 'snapshotId', code: 'rows_not_recorded' },
  );
}

/** Below this, compression saves no packet. */
const MIN_COMPRESSED = 1024;

/** A tree in the best encoding that the reader accepts, or 304 while it has not changed. */
async function sendTree(context: RouteContext, tree: TreeBody): Promise<Response> {
  const headers = { ETag: tree.etag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' };
  if (matchesEtag(context.req.header('If-None-Match'), tree.etag)) return new Response(null, { status: 304, headers });
  const isCompressed = tree.size >= MIN_COMPRESSED && acceptsEncoding(context.req.header('Accept-Encoding'), 'gzip');
  const body = isCompressed ? await tree.gzip() : tree.plain();
  await sendParts(context.env.outgoing, {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    },
    parts: [body],
  });
  return RESPONSE_ALREADY_SENT;
}

export function toLocalRoutes(deps: LocalDeps): readonly Route[] {
  const { studio, engine, runs } = deps;
  const bodies = deps.bodies ?? openMemoryBudget(CHAT_BODY_BYTES);
  const toTreeBody = openTreeBodies();
  const trees = openNotedTrees(() => studio.listNotes(), deps.now);
  return [
    toRoute(STUDIO.listProjects, async () => ({
      projects: await trees.addNames([...((await runs?.listProjects()) ?? []), ...(await studio.listProjects())]),
    })),
    toRoute(STUDIO.getProject, async ({ params: { projectId: id }, context }) => {
      const project = await findEither(runs && (() => runs.findProject(id)), () => studio.findProject(id));
      return sendTree(context, toTreeBody(await trees.addNotes(found(project, 'project', id))));
    }),
    toRoute(STUDIO.getRecommendation, async ({ params: { snapshotId: id } }) =>
      found(
        (await studio.findRecommendation(id)) ?? (await refuseRunSnapshot(runs, id, 'is no recommendation')),
        'snapshot',
        id,
      ),
    ),
    toRoute(STUDIO.getJob, async ({ params: { jobId: id }, context }) => {
      const job = await findEither(runs && (() => runs.findJob(id)), () => studio.findJob(id));
      // Settings of other trainers have any name, which no type says.
      return sendTagged(JSON.stringify(found(job, 'job', id)), context.req.header('If-None-Match'));
    }),
    toRoute(STUDIO.getRows, async ({ params: { snapshotId: id }, query: { bucket }, context }) => {
      const rows = (await studio.findRows(id, bucket)) ?? (await refuseRunSnapshot(runs, id, 'are no rows'));
      return sendRows(context, found(rows, 'snapshot', id));
    }),
    toRoute(STUDIO.getRowErrors, async ({ params: { snapshotId: id }, query: { experiment }, context }) =>
      found(await studio.findRowErrors(id, experiment, signalOf(context)), 'snapshot', id),
    ),
    toRoute(STUDIO.chooseMainMeasure, async ({ params: { datasetId: id }, body: { measure } }) => {
      if (found(await studio.chooseMainMeasure(id, measure), 'dataset', id) === 'unknown')
        throw new HttpProblem(400, `No run of this dataset was measured by ${measure}. Choose a measure of its runs.`, {
          param: 'measure',
          code: 'unknown_measure',
        });
      return { measure };
    }),
    ...toNoteRoutes(studio, () => trees.forget()),
    ...toFunctionRoutes(openFunctionRunner()),
    toRoute(STUDIO.listModels, async () => ({ object: 'list' as const, data: [...(await engine.listModels())] })),
    toRoute(STUDIO.getModel, async ({ params: { modelId } }) => {
      const model = await engine.findModel(modelId);
      if (model === null) throw unknownModel(modelId);
      return model;
    }),
    // Most models have none, so null is a normal answer.
    toRoute(STUDIO.getExamples, async ({ params: { modelId } }) => sendJson(await studio.findExamples(modelId))),
    ...(runs ? toRunsRoutes(runs) : []),
    toChatRoute({ ...deps, bodies }),
    toTextRoute({ ...deps, bodies }),
    toResponsesRoute({ ...deps, bodies }),
  ];
}
