// The endpoints of projects, datasets, rows and snapshots that are made here.
import type { RowsOf } from '#features/datasets/shared/contract/dataRoutes.ts';
import { DATA_ROUTES } from '#features/datasets/shared/contract/dataRoutes.ts';
import { SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import {
  compareQuerySchema,
  newDatapointSchema,
  newProjectSchema,
  newSnapshotSchema,
  splitQuerySchema,
} from '#features/datasets/shared/contract/datasets.ts';
import {
  filteredQuerySchema,
  findingsQuerySchema,
  fitsQuerySchema,
  marksRequestSchema,
  positionSchema,
  rowsQuerySchema,
  statisticsQuerySchema,
} from '#features/datasets/shared/contract/rows.ts';
import { rowViewQuerySchema } from '#features/datasets/shared/contract/rowView.ts';
import type { Data } from '#features/datasets/server/data.ts';
import { DataProblem } from '#features/datasets/server/dataProblem.ts';
import { HttpProblem } from '#service/http/problem.ts';
import { sendRows } from './rowsRoute.ts';
import { readerOf, sendJson, signalOf, uuidParam, type Route, type RouteContext } from '#service/http/route.ts';
import { readBody, readParam, readQuery } from '#service/http/parsedBody.ts';
import { toUploadRoute } from './uploadRoute.ts';

/** A goal of 10,000 characters, each written as two escapes. */
const SMALL_BYTES = 256 * 1024;
const ROW_BYTES = 16 * 1024 * 1024;
const PAGE = 50;

const RETRY = { 'Retry-After': '5' };

/** What the room can't do, as HTTP says it. */
function toHttpProblem(error: unknown): unknown {
  if (!(error instanceof DataProblem)) return error;
  const { status, message, code, param } = error;
  return new HttpProblem(status, message, { code, param, headers: status === 429 ? RETRY : undefined });
}

const withProblems = (route: Route): Route => ({
  ...route,
  async handle(context) {
    try {
      return await route.handle(context);
    } catch (error) {
      throw toHttpProblem(error);
    }
  },
});

const done = (): Response => new Response(null, { status: 204 });

const positionParam = (context: RouteContext): number => readParam(context, 'position', positionSchema);

function toRowRoutes(data: Data, kind: RowsOf['kind']): readonly Route[] {
  const ownerOf = (context: RouteContext): RowsOf => ({ kind, id: uuidParam(context, `${kind}Id`) });
  return [
    {
      method: 'GET',
      path: DATA_ROUTES[`${kind}Rows`],
      load: 'page',
      async handle(context) {
        const owner = ownerOf(context);
        const query = readQuery(context, rowsQuerySchema);
        const { from = 0, limit = PAGE, search = '', finding = null, tag = null, side = null, mark = null } = query;
        const question = { from, limit, search, finding, tag, side, mark };
        return sendJson(await data.readRows(owner, question, signalOf(context)));
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES[`${kind}Filtered`],
      load: 'file',
      async handle(context) {
        const owner = ownerOf(context);
        const query = readQuery(context, filteredQuerySchema);
        const { search = '', finding = null, tag = null, side = null, mark = null, form = 'chat' } = query;
        return sendRows(context, await data.findFilteredRows(owner, { search, finding, tag, side, mark }, form));
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES[`${kind}Fits`],
      load: 'file',
      async handle(context) {
        const owner = ownerOf(context);
        const query = readQuery(context, fitsQuerySchema);
        const { search = '', finding = null, tag = null, side = null, mark = null } = query;
        return sendJson(await data.readFits(owner, { search, finding, tag, side, mark }));
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES[`${kind}Row`],
      load: 'page',
      handle: async (context) => sendJson(await data.readRow(ownerOf(context), positionParam(context))),
    },
    {
      method: 'GET',
      path: DATA_ROUTES[`${kind}RowView`],
      load: 'render',
      async handle(context) {
        const { model, context: limit = null } = readQuery(context, rowViewQuerySchema);
        return sendJson(await data.viewRow(ownerOf(context), positionParam(context), model, limit));
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES[`${kind}Statistics`],
      load: 'page',
      async handle(context) {
        const { model = null, context: limit = null } = readQuery(context, statisticsQuerySchema);
        return sendJson(await data.statistics(ownerOf(context), model, limit, readerOf(context)));
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES[`${kind}Findings`],
      load: 'page',
      async handle(context) {
        const { model = null } = readQuery(context, findingsQuerySchema);
        return sendJson(await data.findings(ownerOf(context), model, readerOf(context)));
      },
    },
  ];
}

/** The id of a row in answers: that of its dataset with the position in its last 12 digits. */
const toRowId = (datasetId: string, position: number): string =>
  datasetId.slice(0, 24) + position.toString(16).padStart(12, '0');

/** The part of the route table for data. */
export function toDataRoutes(data: Data): readonly Route[] {
  const routes: readonly Route[] = [
    {
      method: 'POST',
      path: DATA_ROUTES.createProject,
      async handle(context) {
        const { name, goal = null } = await readBody(context, newProjectSchema, SMALL_BYTES);
        const project_id = await data.createProject(name, goal);
        context.set('node', project_id);
        return sendJson({ project_id });
      },
    },
    toUploadRoute(data),
    {
      method: 'POST',
      path: DATA_ROUTES.createSynthetic,
      handle() {
        throw new HttpProblem(
          501,
          'This studio can not generate rows: that needs a teacher model, and none is connected. Write rows, and import ' +
            'them as a JSONL file.',
          // The SDK of the hosted studio sends the files again after a 5xx.
          { code: 'teacher_needed', headers: { 'x-should-retry': 'false' } },
        );
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES.dataset,
      handle: async (context) => sendJson(await data.findDataset(uuidParam(context, 'datasetId'))),
    },
    {
      method: 'POST',
      path: DATA_ROUTES.addDatapoint,
      async handle(context) {
        const datasetId = uuidParam(context, 'datasetId');
        const position = await data.addDatapoint(datasetId, await readBody(context, newDatapointSchema, ROW_BYTES));
        return sendJson({ id: toRowId(datasetId, position), message: `Added as row ${position + 1}.` });
      },
    },
    {
      method: 'POST',
      path: DATA_ROUTES.createSnapshot,
      async handle(context) {
        const snapshot = await readBody(context, newSnapshotSchema, SMALL_BYTES);
        const snapshot_id = await data.createSnapshot(snapshot);
        context.set('node', snapshot_id);
        return sendJson({ snapshot_id });
      },
    },
    {
      method: 'POST',
      path: DATA_ROUTES.cancelImport,
      async handle(context) {
        await data.cancelImport(uuidParam(context, 'datasetId'));
        return done();
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES.badLines,
      load: 'page',
      async handle(context) {
        const id = uuidParam(context, 'datasetId');
        const lines = await data.listBadLines(id);
        return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
          headers: {
            'Content-Type': 'application/x-ndjson; charset=utf-8',
            'Content-Disposition': `attachment; filename="bad-lines-${id.slice(0, 8)}.jsonl"`,
            'Cache-Control': 'private, no-cache',
          },
        });
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES.split,
      load: 'page',
      async handle(context) {
        const id = uuidParam(context, 'datasetId');
        const { percentage = SPLIT_PERCENTAGE.fallback } = readQuery(context, splitQuerySchema);
        return sendJson(await data.previewSplit(id, percentage));
      },
    },
    {
      method: 'POST',
      path: DATA_ROUTES.marks,
      async handle(context) {
        const id = uuidParam(context, 'datasetId');
        return sendJson(await data.changeMarks(id, await readBody(context, marksRequestSchema, ROW_BYTES)));
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES.compareSnapshots,
      load: 'whole',
      async handle(context) {
        const id = uuidParam(context, 'snapshotId');
        const { with: other } = readQuery(context, compareQuerySchema);
        return sendJson(await data.compareSnapshots(id, other.toLowerCase(), signalOf(context)));
      },
    },
    {
      method: 'DELETE',
      path: DATA_ROUTES.node,
      async handle(context) {
        await data.deleteNode(uuidParam(context, 'nodeId'));
        return done();
      },
    },
    {
      method: 'POST',
      path: DATA_ROUTES.restoreNode,
      async handle(context) {
        await data.restoreNode(uuidParam(context, 'nodeId'));
        return done();
      },
    },
    {
      method: 'GET',
      path: DATA_ROUTES.deletedNodes,
      handle: async () => sendJson({ deleted: await data.listDeleted() }),
    },
    ...toRowRoutes(data, 'dataset'),
    ...toRowRoutes(data, 'snapshot'),
  ];
  return routes.map(withProblems);
}
