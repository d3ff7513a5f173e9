// What an answer does with its turn; what it says is tested on real models (llamaEngine.*.test.ts).
import { expect, it, vi } from 'vitest';
import { withAbort } from './abort.ts';
import type { Compiled } from './compileJob.ts';
import type { Compiler } from './compiler.ts';
import type { EngineEvent } from './engine.ts';
import { generate } from './generation.ts';
import type { ReadyModel } from './modelCache.ts';
import { BASE, IDLE } from './sampleModel.fixture.ts';
import { SlotPool } from './slotPool.ts';

it('a caller who leaves is free at once, but keeps the turn while a worker still compiles the request', async () => {
  const slots = new SlotPool(1);
  const plan = { contextSize: 1_000, promptStep: 8 };
  const ready = { slots, plan, template: {}, longestPiece: 1 } as unknown as ReadyModel;
  let finish = (): void => undefined;
  const prepare = vi.fn<Compiler['prepare']>(
    () => new Promise<Compiled>((_, reject) => (finish = () => reject(new Error('The caller has left.')))),
  );
  const compiler = { prepare } as unknown as Compiler;
  const controller = new AbortController();
  const answer = generate(ready, compiler, { model: 'm', messages: BASE }, controller.signal, 'a').next();
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

it('a caller who leaves is free at once, but keeps the turn until llama.cpp has ended its step', async () => {
  const slots = new SlotPool(1);
  let endStep: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (endStep = resolve));
  const controller = new AbortController();
  async function* events(): AsyncGenerator<EngineEvent, void> {
    yield { type: 'text-delta', text: 'a' };
    await withAbort(new Promise(() => undefined), controller.signal);
  }
  const plan = { contextSize: 1_000, promptStep: 8 };
  const answer = () => ({ events: events(), ended });
  const ready = { slots, plan, template: {}, longestPiece: 1, answer } as unknown as ReadyModel;
  const compiler = { prepare: async () => ({ pieces: ['a'], grammar: null }) } as unknown as Compiler;
  const stream = generate(ready, compiler, { model: 'm', messages: BASE }, controller.signal, 'a');
  await stream.next();
  controller.abort();
  await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
  expect(slots.freeCount).toBe(0);
  endStep();
  await vi.waitFor(() => expect(slots.freeCount).toBe(1));
});
