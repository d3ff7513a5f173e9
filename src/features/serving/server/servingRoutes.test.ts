import { describe, expect, it } from 'vitest';
import { servedSchema, servingOfferSchema } from '#features/serving/shared/serving.ts';
import { CannotServe } from './cannotServe.ts';
import type { FoundCheckpoint } from './foundCheckpoint.ts';
import type { Serving } from './serving.ts';
import { toServingRoutes } from './servingRoutes.ts';
import { openTestService, UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

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

/** Files that nobody has closed. */
let opened = 0;

const serving: Serving = {
  offer: async ({ path }) => ({ checkpoint: path, model_id: null, files: [], ways: [] }),
  take: async ({ path }, { form, base_model_id }) => {
    if (base_model_id === 'wrong') throw new CannotServe('It belongs to another one. Choose another base.');
    const parts = [path, form].map((text) => new TextEncoder().encode(text));
    async function* pieces() {
      for (const part of parts) {
        yield part;
        if (base_model_id === 'cut') throw new Error('secret path /x');
      }
    }
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    opened += 1;
    const close = async (): Promise<void> => {
      opened -= 1;
    };
    return { name: 'Tickets-5.lora.gguf', bytes, pieces: pieces(), close };
  },
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

const service = await keep(
  openTestService({
    routes: () =>
      toServingRoutes({
        serving,
        findCheckpoint: async (id, path) => (id === RUN && path === CHECKPOINT.path ? CHECKPOINT : null),
      }),
  }),
);

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

  const file = (query: string, init?: { readonly method: string }) =>
    service.askSigned(
      `/api/v1/studio/runs/${RUN}/gguf?${new URLSearchParams({ checkpoint: CHECKPOINT.path })}${query}`,
      init,
    );

  it('leaves as a GGUF file with its length and name, and only these where nobody reads it', async () => {
    const whole = await file('&form=q8_0');
    expect([whole.status, whole.text]).toEqual([200, `${CHECKPOINT.path}q8_0`]);
    expect(whole.headers['content-disposition']).toBe('attachment; filename="Tickets-5.lora.gguf"');
    const head = await file('', { method: 'HEAD' });
    expect([head.text, head.headers['content-length']]).toEqual(['', String(`${CHECKPOINT.path}saved`.length)]);
    expect(opened).toBe(0);
  });

  it('is no file where its reason speaks against it, and cut off where it fails on the way', async () => {
    const refused = await file('&base_model_id=wrong');
    expect([refused.status, refused.json()]).toMatchObject([422, { error: { code: 'cannot_serve' } }]);
    await expect(file('&base_model_id=cut')).rejects.toThrow();
    expect(opened).toBe(0);
    expect((await file('&form=q2')).status).toBe(400);
  });

  it('is served until somebody stops it', async () => {
    const stop = (id: string) => service.askSigned(`/api/v1/studio/served-models/${id}`, { method: 'DELETE' });
    expect((await stop('Tickets-5')).status).toBe(204);
    expect((await stop('other')).status).toBe(404);
  });
});
