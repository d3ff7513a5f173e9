// What an answer does with its turn; what it says is tested on real models (llamaEngine.*.test.ts).
import { expect, it, vi } from 'vitest';
import type { Compiled } from './compileJob.ts';
import type { Compiler } from './compiler.ts';
import { generate } from './generation.ts';
import type { LlamaRuntime } from './llamaRuntime.ts';
import type { ReadyModel } from './modelCache.ts';
import { BASE, IDLE } from './sampleModel.fixture.ts';
import type { Slot } from './slot.ts';
import { SlotPool } from './slotPool.ts';

it('a caller who leaves is free at once, but keeps the turn while a worker still compiles the request', async () => {
  const slots = new SlotPool<Slot>([{} as Slot]);
  const plan = { contextSize: 1_000, promptStep: 8 };
  const ready = { slots, plan, template: { source: {} }, vocabulary: { longestPiece: 1 } } as unknown as ReadyModel;
  let finish = (): void => undefined;
  const prepare = vi.fn<Compiler['prepare']>(
    () => new Promise<Compiled>((_, reject) => (finish = () => reject(new Error('The caller has left.')))),
  );
  const means = { compiler: { prepare } as unknown as Compiler, runtime: {} as LlamaRuntime };
  const controller = new AbortController();
  const answer = generate(ready, means, { model: 'm', messages: BASE }, controller.signal, 'a').next();
  await vi.waitFor(() => expect(prepare).toHaveBeenCalledOnce());
  controller.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  let hasTurn = false;
  const next = slots.enter('b', IDLE).then(() => (hasTurn = true));
  await new Promise(setImmediate);
  expect(hasTurn).toBe(false);
  finish();
  await next;
  expect(slots.waitingCount).toBe(0);
});
