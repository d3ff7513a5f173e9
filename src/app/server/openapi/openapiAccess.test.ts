import { expect, it } from 'vitest';
import { toOpenApi } from './openapi.ts';
import { ACCESS_ROUTES, ACTIVITY_LIMITS, type ActivityPage } from '#features/access/shared/activity.ts';
import { toAccessPaths } from './openapiAccess.ts';

const PAGE: ActivityPage = {
  entries: [
    { id: 1, at: '2026-11-23T00:00:00.000Z', who: null, method: 'PUT', route: '/a/{id}', path: '/a/1', node: null },
  ],
  next: null,
};

it('describes each field of a page, and is in the document', () => {
  const paths = toAccessPaths();
  expect(toOpenApi('1.2.3')).toMatchObject({ paths });
  const operation = (paths as Record<string, { get: Record<string, unknown> }>)[ACCESS_ROUTES.activity]?.get;
  const required = ['id', 'at', 'who', 'method', 'route', 'path', 'node'];
  expect(required).toEqual(Object.keys(PAGE.entries[0] ?? {}));
  expect(operation?.['responses']).toMatchObject({
    '200': {
      content: {
        'application/json': {
          schema: { required: Object.keys(PAGE), properties: { entries: { items: { required } }, next: {} } },
        },
      },
    },
    '401': {},
  });
  expect(operation?.['parameters']).toMatchObject([{ name: 'limit' }, { name: 'before' }]);
});

const describedAt = (...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key],
    toAccessPaths()[ACCESS_ROUTES.activity as keyof ReturnType<typeof toAccessPaths>],
  );

it('says that the owner has no name, and that the last page has no next', () => {
  const schema = ['get', 'responses', '200', 'content', 'application/json', 'schema', 'properties'];
  expect(describedAt(...schema, 'entries', 'items', 'properties', 'who')).toEqual({
    type: ['string', 'null'],
    description: "The name of the token; null: the studio's own.",
  });
  expect(describedAt(...schema, 'next')).toEqual({
    type: ['integer', 'null'],
    description: 'For `before` of the next page; null: this is the last.',
  });
});

it('gives the bounds of a page that the service holds to', () => {
  expect(describedAt('get', 'parameters', '0')).toEqual({
    name: 'limit',
    in: 'query',
    required: false,
    description: `How many entries, ${ACTIVITY_LIMITS.entriesDefault} if absent.`,
    schema: { type: 'integer', minimum: 1, maximum: ACTIVITY_LIMITS.entries },
  });
  expect(ACTIVITY_LIMITS.entriesDefault).toBeLessThanOrEqual(ACTIVITY_LIMITS.entries);
});

it.each(['400', '401', '503'])('can answer %s, in the envelope of errors', (status) => {
  expect(describedAt('get', 'responses', status)).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
});
