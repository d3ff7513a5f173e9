import { createServer } from 'node:http';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { keepServers } from '#ui/client/server.fixture.ts';
import { serveCheckpoint, servingOfferQuery, stopServing } from './servingQueries.ts';

const open = keepServers();

/** Answers each request with the same; `asked` collects "METHOD path". */
async function serve(status: number, body?: unknown) {
  const asked: string[] = [];
  const connection = await open(
    createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    }),
  );
  return { asked, connection };
}

const LLAMA = {
  way: 'llama',
  title: 'llama.cpp',
  reason: null,
  bases: [{ id: 'qwen', has_fitting_name: true, reason: null, notes: ['It differs.'] }],
};

it('asks for the ways of a checkpoint whose path has any characters', async () => {
  const { asked, connection } = await serve(200, { checkpoint: 'a b/ü', ways: [LLAMA] });
  const offer = await new QueryClient().fetchQuery(servingOfferQuery('run', 'a b/ü', connection));
  expect(offer.ways).toEqual([LLAMA]);
  expect(asked).toEqual(['GET /api/v1/studio/runs/run/serving?checkpoint=a+b%2F%C3%BC']);
});

it('serves and stops, and fails with the words of the service', async () => {
  const { asked, connection } = await serve(201, { model_id: 'base:run' });
  const request = { checkpoint: 'a', way: 'llama', base_model_id: 'qwen' } as const;
  expect(await serveCheckpoint('run', request, connection)).toBe('base:run');
  await stopServing('base:run', connection);
  expect(asked).toEqual(['POST /api/v1/studio/runs/run/serving', 'DELETE /api/v1/studio/served-models/base%3Arun']);
  const refusing = await serve(422, { error: { message: 'Choose another base.', code: 'cannot_serve' } });
  await expect(serveCheckpoint('run', request, refusing.connection)).rejects.toThrow('Choose another base.');
  const empty = await serve(201, {});
  await expect(serveCheckpoint('run', request, empty.connection)).rejects.toThrow('it has no model_id');
});
