// The endpoints of projects, datasets, rows and snapshots that are made here.
import { DATA, DATASET_ROWS, SNAPSHOT_ROWS } from '#features/datasets/shared/contract/dataEndpoints.ts';
import { SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { Query } from '#core/contract/endpoint.ts';
import { toRowId } from '#features/datasets/server/datasets.ts';
import type { Data } from '#features/datasets/server/openData.ts';
import type { RowFilterQuestion } from '#features/datasets/server/rowDownload.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { openMemoryBudget } from '#service/http/memoryBudget.ts';
import { readSyntheticForm } from '#features/datasets/server/synthetic/syntheticForm.ts';
import { sendRows } from './rowsRoute.ts';
import { readerOf, signalOf, type Route } from '#service/http/route.ts';
import { toSnapshotFilesRoute, toUploadRoute } from './uploadRoute.ts';

const PAGE = 50;
/** Forms with texts for a teacher that are read at the same time. */
const FORM_BYTES = 64 * 1024 * 1024;

const toFilter = (query: Query<typeof DATASET_ROWS.fits>): RowFilterQuestion => ({
  search: query.search ?? '',
  finding: query.finding ?? null,
  tag: query.tag ?? null,
  side: query.side ?? null,
  mark: query.mark ?? null,
  positions: query.positions ?? null,
});

function toRowRoutes(
  data: Data,
  kind: RowsOf['kind'],
  rows: typeof DATASET_ROWS | typeof SNAPSHOT_ROWS,
): readonly Route[] {
  const ownerOf = (params: Readonly<Record<`${RowsOf['kind']}Id`, string>>): RowsOf => ({
    kind,
    id: params[`${kind}Id`],
  });
  return [
    toRoute(rows.page, async ({ params, query, context }) => {
      const { from = 0, limit = PAGE } = query;
      return data.readRows(ownerOf(params), { from, limit, ...toFilter(query) }, signalOf(context));
    }),
    toRoute(rows.filtered, async ({ params, query, context }) => {
      const { form = 'chat' } = query;
      return sendRows(context, await data.findFilteredRows(ownerOf(params), toFilter(query), form));
    }),
    toRoute(rows.fits, async ({ params, query }) => data.readFits(ownerOf(params), toFilter(query))),
    toRoute(rows.row, async ({ params }) => data.readRow(ownerOf(params), params.position)),
    toRoute(rows.view, async ({ params, query: { model, context = null } }) =>
      data.viewRow(ownerOf(params), params.position, model, context),
    ),
    toRoute(rows.statistics, async ({ params, query, context }) => {
      const { model = null, context: limit = null } = query;
      return data.statistics(ownerOf(params), model, limit, readerOf(context));
    }),
    toRoute(rows.findings, async ({ params, query: { model = null }, context }) =>
      data.findings(ownerOf(params), model, readerOf(context)),
    ),
  ];
}

/** The part of the route table for data. */
export function toDataRoutes(data: Data): readonly Route[] {
  const forms = openMemoryBudget(FORM_BYTES);
  return [
    toRoute(DATA.createProject, async ({ body: { name, goal = null }, context }) => {
      const project_id = await data.createProject(name, goal);
      context.set('node', project_id);
      return { project_id };
    }),
    toUploadRoute(data),
    toSnapshotFilesRoute(data),
    toRoute(DATA.createSyntheticDataset, async ({ context }) => {
      const dataset_id = await data.generate(await readSyntheticForm(context.env.incoming, forms));
      context.set('node', dataset_id);
      return { dataset_id };
    }),
    toRoute(DATA.getDataset, async ({ params }) => data.findDataset(params.datasetId)),
    toRoute(DATA.addDatapoint, async ({ params: { datasetId }, body }) => {
      const position = await data.addDatapoint(datasetId, body);
      return { id: toRowId(datasetId, position), message: `Added as row ${position + 1}.` };
    }),
    toRoute(DATA.createSnapshot, async ({ body, context }) => {
      const snapshot_id = await data.createSnapshot(body);
      context.set('node', snapshot_id);
      return { snapshot_id };
    }),
    toRoute(DATA.cancelImport, async ({ params }) => data.cancelImport(params.datasetId)),
    toRoute(DATA.getBadLines, async ({ params: { datasetId } }) => {
      const lines = await data.listBadLines(datasetId);
      return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
        headers: {
          'Content-Type': 'application/x-ndjson; charset=utf-8',
          'Content-Disposition': `attachment; filename="bad-lines-${datasetId.slice(0, 8)}.jsonl"`,
          'Cache-Control': 'private, no-cache',
        },
      });
    }),
    toRoute(DATA.previewSplit, async ({ params, query: { percentage = SPLIT_PERCENTAGE.fallback } }) =>
      data.previewSplit(params.datasetId, percentage),
    ),
    toRoute(DATA.markRows, async ({ params, body }) => data.changeMarks(params.datasetId, body)),
    toRoute(DATA.compareSnapshots, async ({ params, query, context }) =>
      data.compareSnapshots(params.snapshotId, query.with.toLowerCase(), signalOf(context)),
    ),
    toRoute(DATA.deleteNode, async ({ params }) => data.deleteNode(params.nodeId)),
    toRoute(DATA.restoreNode, async ({ params }) => data.restoreNode(params.nodeId)),
    toRoute(DATA.listDeleted, async () => ({ deleted: await data.listDeleted() })),
    ...toRowRoutes(data, 'dataset', DATASET_ROWS),
    ...toRowRoutes(data, 'snapshot', SNAPSHOT_ROWS),
  ];
}
