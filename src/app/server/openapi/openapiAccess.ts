// The operation of the OpenAPI document on the log of changes.
import type { Json } from './openapiComponents.ts';
import { failures, OURS, params } from './openapiParts.ts';
import { ACCESS_ROUTES } from '#features/access/shared/activity.ts';
import { activityQuerySchema } from '#features/access/shared/activityQuery.ts';

const text = (description: string): Json => ({ type: 'string', description });

const NODE: Json = {
  type: ['object', 'null'],
  description: 'What the change is about; null: no node, or one that is gone.',
  required: ['id', 'type', 'label', 'project_id', 'is_deleted'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    type: text('As in the tree.'),
    label: text('Its name now.'),
    project_id: { type: 'string', format: 'uuid' },
    is_deleted: { type: 'boolean' },
  },
};

const ENTRY: Json = {
  type: 'object',
  required: ['id', 'at', 'who', 'method', 'route', 'path', 'node'],
  properties: {
    id: { type: 'integer', minimum: 1, description: 'Increases with time.' },
    at: { type: 'string', format: 'date-time' },
    who: { type: ['string', 'null'], description: "The name of the token; null: the studio's own." },
    method: text('Such as `POST`.'),
    route: text('As in this document.'),
    path: text('With the ids, without its query.'),
    is_certain: {
      type: 'boolean',
      description: '`false`: the database answered too late to say whether the change was made. Else it was.',
    },
    node: NODE,
  },
};

export function toAccessPaths(): Json {
  const schema: Json = {
    type: 'object',
    required: ['entries', 'next'],
    properties: {
      entries: { type: 'array', items: ENTRY },
      next: { type: ['integer', 'null'], description: 'For `before` of the next page; null: this is the last.' },
    },
  };
  return {
    [ACCESS_ROUTES.activity]: {
      get: {
        tags: ['Service'],
        operationId: 'listActivity',
        summary: 'List who changed what, newest first',
        description: `Changes over the API, by the name of the token. ${OURS}`,
        parameters: params('query', activityQuerySchema),
        responses: {
          '200': { description: 'A page.', content: { 'application/json': { schema } } },
          ...failures(400, 401, 503),
        },
      },
    },
    [ACCESS_ROUTES.metrics]: {
      get: {
        tags: ['Service'],
        operationId: 'getMetrics',
        summary: 'Get figures for Prometheus',
        description: 'Requests, streams, queue, runs and parts that answer. With `--metrics` it needs no token.',
        responses: {
          '200': { description: 'Figures.', content: { 'text/plain': { schema: { type: 'string' } } } },
          ...failures(401),
        },
      },
    },
  };
}
