import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servedSchema, servingOfferSchema } from '#shared/contract/serving.ts';
import { CannotServe } from '#server/serving/cannotServe.ts';
import type { FoundCheckpoint, Serving } from '#server/serving/serving.ts';
import { toServingRoutes } from './servingRoutes.ts';
import { openTestService, UNKNOWN_ID, type TestService } from '#server/service/testService.fixture.ts';

const RUN = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91aa';
const CHECKPOINT: FoundCheckpoint = {
  runId: RUN,
  runLabel: 'Tickets',
  root: '/runs',
  path: 'a/checkpoint-5',
  kind: 'adapter',
  step: 5,
  isComplete: true,
  baseModel: null,
  rank: 8,
  isMlx: false,
  modelConfig: {},
  modelId: null,
};

const serving: Serving = {
  offer: async ({ path }) => ({ checkpoint: path, model_id: null, ways: [] }),
  serve: async (_, { base_model_id }) => {
    if (base_model_id === 'wrong') throw new CannotServe('It belongs to another one. Choose another base.');
    if (base_model_id === 'broken') throw new Error('secret path /x');
    return 'Tickets-5';
  },
  stop: async (id) => id === 'Tickets-5',
  findServed: async () => null,
  readState: async () => ({ byRun: new Map(), findBase: () => null }),
  listModelFiles: async () => [],
};

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: () =>
      toServingRoutes({
        serving,
        findCheckpoint: async (id, path) => (id === RUN && path === CHECKPOINT.path ? CHECKPOINT : null),
      }),
  });
});
afterAll(() => service.close());

const path = (id: string): string => `/api/v1/studio/runs/${id}/serving`;
const REQUEST = { checkpoint: CHECKPOINT.path, way: 'llama', base_model_id: 'base' };

describe('a checkpoint', () => {
  it('has ways to be served', async () => {
    const answer = await service.askSigned(`${path(RUN)}?checkpoint=${encodeURIComponent(CHECKPOINT.path)}`);
    expect(servingOfferSchema.parse(answer.json()).checkpoint).toBe(CHECKPOINT.path);
  });

  it('becomes a model', async () => {
    const answer = await service.post(path(RUN), REQUEST);
    expect(answer.status).toBe(201);
    expect(servedSchema.parse(answer.json())).toEqual({ model_id: 'Tickets-5' });
  });

  it('is refused with its reason, and an own fault without its details', async () => {
    const refused = await service.post(path(RUN), { ...REQUEST, base_model_id: 'wrong' });
    expect(refused.status).toBe(422);
    expect(refused.json()).toMatchObject({
      error: { code: 'cannot_serve', message: expect.stringContaining('Choose') },
    });
    const failed = await service.post(path(RUN), { ...REQUEST, base_model_id: 'broken' });
    expect(failed.status).toBe(500);
    expect(failed.text).not.toContain('secret');
  });

  it.each([
    [UNKNOWN_ID, REQUEST, 404],
    [RUN, { ...REQUEST, checkpoint: 'b' }, 404],
    ['x', REQUEST, 400],
    [RUN, { ...REQUEST, way: 'magic' }, 400],
    [RUN, { way: 'llama' }, 400],
    [RUN, { ...REQUEST, path: '/etc' }, 400],
  ])('is found by its run and path, or not: %s %j', async (id, request, status) => {
    expect((await service.post(path(id), request)).status).toBe(status);
  });

  it('is served until somebody stops it', async () => {
    const stop = (id: string) => service.askSigned(`/api/v1/studio/served-models/${id}`, { method: 'DELETE' });
    expect((await stop('Tickets-5')).status).toBe(204);
    expect((await stop('other')).status).toBe(404);
  });
});
