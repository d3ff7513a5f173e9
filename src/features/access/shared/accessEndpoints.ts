// The endpoints of the log of changes and of figures. ASSUMED: not in SPEC. Only a local studio keeps a log.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { activityPageSchema, activityQuerySchema } from './activity.ts';

export const ACCESS = defineEndpoints(
  { tag: 'Service' },
  {
    listActivity: {
      method: 'GET',
      path: '/api/v1/studio/activity',
      title: 'List who changed what, newest first',
      about: 'Changes over the API, by the name of the token. Not in SPEC: a gateway answers 404.',
      query: activityQuerySchema,
      answer: { ActivityPage: activityPageSchema },
      says: 'A page.',
    },
    getMetrics: {
      method: 'GET',
      path: '/metrics',
      title: 'Get figures for Prometheus',
      about: 'Requests, streams, queue, runs and parts that answer. With `--metrics` it needs no token.',
      file: 'text/plain',
      says: 'Figures.',
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly access: typeof ACCESS;
  }
}
