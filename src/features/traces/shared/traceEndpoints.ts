// The endpoints of traces. ASSUMED: not in SPEC. The first five are the hosted studio's.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { GOOD_SCORE, TRACE_LIMITS } from './traceLimits.ts';
import {
  addQuerySchema,
  countsQuerySchema,
  newTracesSchema,
  traceAddedSchema,
  traceChangeSchema,
  storedSettingsSchema,
  traceCountsSchema,
  traceListSchema,
  traceQuerySchema,
  traceSchema,
  traceSettingsSchema,
  tracesMadeSchema,
  wholeTraceSchema,
} from './traces.ts';

const OWN = 'Not in SPEC: only a local studio has it, and a gateway answers 404.';

export const TRACES = defineEndpoints(
  { tag: 'Traces', source: "Not in SPEC: path and fields are those of the hosted studio's API." },
  {
    listTraces: {
      method: 'GET',
      path: '/api/v1/traces',
      title: 'List traces',
      query: traceQuerySchema,
      answer: { TraceList: traceListSchema },
      says: 'The newest first, unless the query says otherwise.',
      load: 'page',
    },
    createTraces: {
      method: 'POST',
      path: '/api/v1/traces',
      title: 'Add traces',
      about: `A list of at most ${TRACE_LIMITS.added}, or one. All are added, or none. One without a score can be scored later.`,
      body: { NewTraces: newTracesSchema },
      bodyBytes: 16 * 1024 * 1024,
      answer: { TracesMade: tracesMadeSchema },
      isQuiet: true,
      failures: [404, 409],
    },
    getTrace: {
      method: 'GET',
      path: '/api/v1/traces/{traceId}',
      title: 'Get a trace',
      answer: { WholeTrace: wholeTraceSchema },
    },
    updateTrace: {
      method: 'PUT',
      path: '/api/v1/traces/{traceId}',
      title: 'Change score, feedback or project of a trace',
      about: 'Fields that are absent stay as they are.',
      body: { TraceChange: traceChangeSchema },
      bodyBytes: 64 * 1024,
      answer: { Trace: traceSchema },
      isQuiet: true,
    },
    addTraceToDataset: {
      method: 'POST',
      path: '/api/v1/traces/{traceId}/addToDataset',
      title: 'Make a row of a dataset from a trace',
      about:
        `A score of ${GOOD_SCORE} or more: the output is the answer of the row. Below, a model writes a better one from ` +
        'the feedback, in the background: `processingStatus` of the trace says how it goes.',
      query: addQuerySchema,
      answer: { TraceAdded: traceAddedSchema },
    },
    deleteTrace: {
      method: 'DELETE',
      path: '/api/v1/traces/{traceId}',
      title: 'Delete a trace',
      about: 'Its row in a dataset stays.',
      source: OWN,
    },
    countTraces: {
      method: 'GET',
      path: '/api/v1/studio/trace-counts',
      title: 'Count traces by model and score',
      source: OWN,
      query: countsQuerySchema,
      answer: { TraceCounts: traceCountsSchema },
    },
    getTraceSettings: {
      method: 'GET',
      path: '/api/v1/studio/projects/{projectId}/trace-settings',
      title: 'Get what a project does with traces',
      source: OWN,
      answer: { TraceSettings: storedSettingsSchema },
    },
    saveTraceSettings: {
      method: 'PUT',
      path: '/api/v1/studio/projects/{projectId}/trace-settings',
      title: 'Choose what a project does with traces',
      source: OWN,
      body: { TraceSettingsChange: traceSettingsSchema },
      bodyBytes: 16 * 1024,
      answer: { TraceSettings: storedSettingsSchema },
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly traces: typeof TRACES;
  }
}
