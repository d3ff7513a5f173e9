import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#core/contract/endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { toOperation } from './openapiOperation.ts';
import { UUID } from '#core/contract/uuid.ts';

type Json = Record<string, unknown>;

const statusesOf = (endpoint: Endpoint): string[] => Object.keys(toOperation(endpoint)['responses'] as Json);

const PLAIN: Endpoint = { method: 'GET', path: '/a', id: 'getA', tag: 'Data', title: 'Get a' };

describe('the statuses of an operation follow from its record', () => {
  it.each<[string, Partial<Endpoint>, string[]]>([
    ['that answers nothing', {}, ['204', '401', '503']],
    ['that is open', { isOpen: true }, ['204']],
    ['that changes something', { method: 'POST' }, ['204', '401', '403', '503']],
    ['that only looks like a change', { method: 'POST', changesNothing: true }, ['204', '401', '503']],
    ['with an id', { path: '/a/{aId}' }, ['204', '400', '401', '404', '503']],
    ['with a query', { query: z.object({}) }, ['204', '400', '401', '503']],
    ['with a body', { body: { A: z.string() } }, ['204', '400', '401', '413', '415', '503']],
    ['with an answer', { answer: { A: z.string() }, status: 201 }, ['201', '401', '503']],
    [
      'with an answer that may be unchanged',
      { answer: { A: z.string() }, isTagged: true },
      ['200', '304', '401', '503'],
    ],
    ['that takes long', { load: 'page' }, ['204', '401', '429', '503', '504']],
    ['with a file', { load: 'file', file: 'text/plain' }, ['200', '401', '429', '503']],
  ])('of one %s', (_what, more, statuses) => {
    expect(statusesOf({ ...PLAIN, ...more })).toEqual(statuses);
  });
});

it('a parameter of a path is a UUID, or what its schema says', () => {
  const name = z.string().check(z.minLength(1), z.describe('A name.'));
  const { parameters } = toOperation({ ...PLAIN, path: '/runs/{runId}/{name}', params: { name } });
  const described = { in: 'path', required: true };
  expect(parameters).toEqual([
    {
      ...described,
      name: 'runId',
      description: 'UUID of the run.',
      schema: { type: 'string', format: 'uuid', pattern: UUID.source },
    },
    { ...described, name: 'name', description: 'A name.', schema: { type: 'string', minLength: 1 } },
  ]);
});

it('bodies, forms, files and streams have their media types', () => {
  const named = { A: z.string() };
  const schema = { $ref: '#/components/schemas/A' };
  const request = (more: Partial<Endpoint>) => toOperation({ ...PLAIN, ...more })['requestBody'];
  expect(request({ body: named })).toEqual({ required: true, content: { 'application/json': { schema } } });
  expect(request({ form: named })).toEqual({ required: true, content: { 'multipart/form-data': { schema } } });
  expect(request({ upload: true })).toMatchObject({ content: { 'application/octet-stream': {} } });
  const answer = (more: Partial<Endpoint>) => (toOperation({ ...PLAIN, ...more })['responses'] as Json)['200'];
  expect(answer({ answer: named, events: 'text' })).toMatchObject({
    content: { 'application/json': { schema }, 'text/event-stream': { schema: { type: 'string' } } },
  });
  expect(answer({ answer: named, isNullable: true })).toMatchObject({
    content: { 'application/json': { schema: { anyOf: [schema, { type: 'null' }] } } },
  });
  expect(answer({ file: 'application/gzip' })).toMatchObject({
    content: { 'application/gzip': { schema: { format: 'binary' } } },
  });
});

it('has words for each status that an endpoint names', () => {
  expect(JSON.stringify(ENDPOINTS.map(toOperation))).not.toContain('"Failure."');
});

it('a body that is read as JSON has a limit', () => {
  // Those of chats have theirs in chatRoute.ts, that of a sign-in in sessionRoutes.ts.
  const own = ['createChatCompletion', 'createCompletion', 'createResponse', 'signIn'];
  const without = ENDPOINTS.filter(({ body, bodyBytes }) => body && bodyBytes === undefined);
  expect(without.map(({ id }) => id)).toEqual(own);
});
