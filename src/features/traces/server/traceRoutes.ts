// The routes of traces.
import { TRACES } from '#features/traces/shared/traceEndpoints.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { readerOf, type Route } from '#service/http/route.ts';
import type { Traces } from './openTraces.ts';

export function toTraceRoutes(traces: Traces): readonly Route[] {
  return [
    toRoute(TRACES.listTraces, async ({ query, context }) => {
      const { page, after, modelIds, projectId, sortBy = 'createdAt', sortOrder = 'desc', band, search = '' } = query;
      const question = {
        projectId: projectId?.toLowerCase() ?? null,
        modelIds: modelIds && modelIds.length > 0 ? modelIds : null,
        band: band ?? null,
        sortBy,
        sortOrder,
        search,
      };
      return traces.list(question, after ?? page ?? 1, readerOf(context));
    }),
    toRoute(TRACES.createTraces, async ({ body }) => {
      if (!Array.isArray(body)) {
        const [made] = await traces.add([body]);
        if (!made) throw new Error('The database stored nothing.');
        return made;
      }
      const made = await traces.add(body);
      return { results: made.map(({ id }) => ({ traceId: id, success: true })) };
    }),
    toRoute(TRACES.getTrace, async ({ params }) => traces.find(params.traceId)),
    toRoute(TRACES.updateTrace, async ({ params, body }) => traces.change(params.traceId, body)),
    toRoute(TRACES.addTraceToDataset, async ({ params, query, context }) => {
      const added = await traces.addToDataset(params.traceId, query.datasetId ?? null);
      if (query.datasetId !== undefined) context.set('node', query.datasetId);
      return added;
    }),
    toRoute(TRACES.deleteTrace, async ({ params }) => traces.remove(params.traceId)),
    toRoute(TRACES.countTraces, async ({ query }) => traces.count(query.projectId?.toLowerCase() ?? null)),
    toRoute(TRACES.getTraceSettings, async ({ params }) => traces.findSettings(params.projectId)),
    toRoute(TRACES.saveTraceSettings, async ({ params, body }) => traces.saveSettings(params.projectId, body)),
  ];
}
