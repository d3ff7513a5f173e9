import { afterEach, expect, it, vi } from 'vitest';
import { openBoundedEngine } from './boundedEngine.ts';
import type { Engine, EngineEvent } from './engine.ts';
import { QueueBounds } from './queueBounds.ts';
import { BASE, IDLE } from './sampleModel.fixture.ts';

afterEach(() => void vi.restoreAllMocks());

let time = 0;
/** An engine whose answers take a minute. */
const inner: Engine = {
  listModels: async () => [],
  findModel: async () => null,
  check: async () => undefined,
  load: async (id) => ({
    id,
    fingerprint: null,
    async *generate(): AsyncGenerator<EngineEvent, void> {
      yield { type: 'text-delta', text: 'a' };
      time += 60_000;
      yield { type: 'message-end', finish_reason: 'stop', usage: null };
    },
  }),
  close: async () => undefined,
};

it('tells who is refused how long complete answers take, not those that were left', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const engine = openBoundedEngine(inner, { bounds: new QueueBounds({ perCaller: 0, inAll: 0 }), atOnce: 1 });
  const model = await engine.load('m', IDLE);
  if (model === null) throw new Error('There is no model.');
  const begin = () => model.generate({ model: 'm', messages: BASE }, IDLE, 'a')[Symbol.asyncIterator]();
  const whole = begin();
  while ((await whole.next()).done !== true);
  for (let round = 0; round < 40; round += 1) {
    const left = begin();
    await left.next();
    await left.return?.();
  }
  await begin().next();
  await expect(begin().next()).rejects.toMatchObject({ status: 429, retryAfter: '60' });
});
