import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { connectAlike } from '#ui/client/server.fixture.ts';
import { serveCheckpoint, servingOfferQuery, stopServing } from './servingQueries.ts';

const LLAMA = {
  way: 'llama',
  title: 'llama.cpp',
  reason: null,
  bases: [{ id: 'qwen', has_fitting_name: true, reason: null, notes: ['It differs.'] }],
};

it('asks for the ways of a checkpoint whose path has any characters', async () => {
  const { asked, connection } = await connectAlike(200, { checkpoint: 'a b/ü', ways: [LLAMA] });
  const offer = await new QueryClient().fetchQuery(servingOfferQuery('run', 'a b/ü', connection));
  expect(offer.ways).toEqual([LLAMA]);
  expect(asked).toEqual(['GET /api/v1/studio/runs/run/serving?checkpoint=a+b%2F%C3%BC']);
});

it('serves and stops, and fails with the words of the service', async () => {
  const { asked, connection } = await connectAlike(201, { model_id: 'base:run' });
  const request = { checkpoint: 'a', way: 'llama', base_model_id: 'qwen' } as const;
  expect(await serveCheckpoint('run', request, connection)).toBe('base:run');
  await stopServing('base:run', connection);
  expect(asked).toEqual([
    `POST /api/v1/studio/runs/run/serving ${JSON.stringify(request)}`,
    'DELETE /api/v1/studio/served-models/base%3Arun',
  ]);
  const refusing = await connectAlike(422, { error: { message: 'Choose another base.', code: 'cannot_serve' } });
  await expect(serveCheckpoint('run', request, refusing.connection)).rejects.toThrow('Choose another base.');
  const empty = await connectAlike(201, {});
  await expect(serveCheckpoint('run', request, empty.connection)).rejects.toThrow('it has no model_id');
});
