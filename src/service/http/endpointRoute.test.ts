import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { wholeTextSchema } from '#core/contract/schemas.ts';
import { toRoute } from './endpointRoute.ts';
import { openTestService, UNKNOWN_ID } from './testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const THINGS = defineEndpoints(
  { tag: 'Data' },
  {
    askThing: {
      method: 'POST',
      path: '/api/v1/things/{thingId}/{place}',
      title: 'Ask a thing',
      params: { place: wholeTextSchema(0, 9) },
      query: z.strictObject({ limit: z.optional(wholeTextSchema(1, 50)) }),
      headers: z.object({ 'X-Key': z.optional(z.string().check(z.maxLength(3))) }),
      body: { Thing: z.strictObject({ name: z.string() }) },
      bodyBytes: 64,
      answer: { Sent: z.record(z.string(), z.unknown()) },
      status: 201,
    },
    listThings: {
      method: 'GET',
      path: '/api/v1/things',
      title: 'List things',
      answer: { Things: z.object({ things: z.array(z.string()) }) },
      isTagged: true,
    },
    deleteThings: { method: 'DELETE', path: '/api/v1/things', title: 'Delete all' },
  },
);

const service = await keep(
  openTestService({
    routes: () => [
      toRoute(THINGS.askThing, async ({ params, query, headers, body }) => ({
        params,
        query,
        key: headers['X-Key'],
        body,
      })),
      toRoute(THINGS.listThings, async () => ({ things: ['a'] })),
      toRoute(THINGS.deleteThings, async () => undefined),
    ],
  }),
);

const PATH = `/api/v1/things/${UNKNOWN_ID.toUpperCase()}/7`;

describe('what was sent', () => {
  it('is read by the schemas of the record, with ids in small letters', async () => {
    const answer = await service.post(`${PATH}?limit=3`, { name: 'a' }, { 'X-Key': 'k' });
    expect([answer.status, answer.json()]).toEqual([
      201,
      { params: { thingId: UNKNOWN_ID, place: 7 }, query: { limit: 3 }, key: 'k', body: { name: 'a' } },
    ]);
  });

  it.each([
    ['an id that is none', '/api/v1/things/x/7', { name: 'a' }, {}, 400, 'thingId'],
    ['another place', PATH.replace(/7$/, '10'), { name: 'a' }, {}, 400, 'place'],
    ['a query out of bounds', `${PATH}?limit=51`, { name: 'a' }, {}, 400, 'limit'],
    ['a query of another name', `${PATH}?limt=5`, { name: 'a' }, {}, 400, null],
    ['a head that is too long', PATH, { name: 'a' }, { 'X-Key': 'long' }, 400, 'X-Key'],
    ['a body without its field', PATH, {}, {}, 400, 'name'],
    ['a body with another field', PATH, { name: 'a', size: 1 }, {}, 400, null],
    ['a body that is too large', PATH, { name: 'a'.repeat(64) }, {}, 413, null],
  ])('is refused by name: %s', async (_what, path, body, headers, status, param) => {
    const answer = await service.post(path, body, headers);
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { param } }]);
  });
});

it('an answer with a tag is 304 while it is the same', async () => {
  const first = await service.askSigned('/api/v1/things');
  const headers = { 'If-None-Match': first.headers.etag ?? '' };
  expect([first.status, (await service.askSigned('/api/v1/things', { headers })).status]).toEqual([200, 304]);
});

it('no answer is 204', async () => {
  const answer = await service.askSigned('/api/v1/things', { method: 'DELETE' });
  expect([answer.status, answer.text]).toEqual([204, '']);
});
