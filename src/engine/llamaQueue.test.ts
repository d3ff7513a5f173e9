// Many callers of one model: who waits costs nothing, callers take turns, and what hangs holds nobody up.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChatRequest } from '../contract/chatRequest';
import type { Engine, EngineError, EngineEvent } from './engine';
import { openLlamaEngine } from './llamaEngine';
import { openLlamaRuntime, type LlamaRuntime } from './llamaRuntime';
import { QueueBounds } from './queueBounds';
import { BASE, IDLE, SAMPLE_FILES } from './sampleFixture';

/** Goes on until the context is full. */
const LONG: ChatRequest = {
  model: 'base',
  messages: BASE,
  response_format: {
    type: 'json_schema',
    schema: { type: 'array', items: { type: 'integer', minimum: 1000 }, minItems: 1000 },
  },
};

let runtime: LlamaRuntime;
let engine: Engine;
const bounds = new QueueBounds({ perCaller: 10, inAll: 100 });
beforeAll(async () => {
  runtime = await openLlamaRuntime();
  engine = openLlamaEngine({ models: SAMPLE_FILES, bounds, openRuntime: () => Promise.resolve(runtime) });
});
afterAll(() => engine.close());

async function begin(caller: string, signal = IDLE, from = engine): Promise<AsyncIterator<EngineEvent>> {
  const model = await from.load('base', signal, caller);
  if (model === null) throw new Error('There is no base model.');
  return model.generate(LONG, signal, caller)[Symbol.asyncIterator]();
}

/** Starts an answer for each of the eight slots, and waits until all have begun. */
async function occupy(caller: string): Promise<readonly AsyncIterator<EngineEvent>[]> {
  const streams = await Promise.all(Array.from({ length: 8 }, () => begin(caller)));
  await Promise.all(streams.map((stream) => stream.next()));
  return streams;
}

const untilWaiting = (count: number): Promise<void> => vi.waitFor(() => expect(bounds.waitingCount).toBe(count));
const endAll = (streams: readonly AsyncIterator<EngineEvent>[]): Promise<unknown> =>
  Promise.all(streams.map((stream) => stream.return?.()));

describe('the queue of a model', () => {
  it('prepares nothing for those that wait', async () => {
    const opened = vi.spyOn(runtime, 'openGrammar');
    const running = await occupy('a');
    const streams = await Promise.all([begin('a'), begin('a')]);
    const firsts = streams.map((stream) => stream.next());
    await untilWaiting(2);
    expect(opened).toHaveBeenCalledTimes(8);
    await running[0]?.return?.();
    await firsts[0];
    expect([opened.mock.calls.length, bounds.waitingCount]).toEqual([9, 1]);
    await running[1]?.return?.();
    await firsts[1];
    await endAll([...running, ...streams]);
    opened.mockRestore();
  });

  it('a caller who asks for one answer does not wait for all of another one', async () => {
    const running = await occupy('flood');
    const flood = await Promise.all(Array.from({ length: 9 }, () => begin('flood')));
    const waiting = flood.map((stream) => stream.next());
    await untilWaiting(9);
    const one = await begin('one');
    const first = one.next();
    await untilWaiting(10);
    // The first end is for the flood, whose turn it was; the second for the other caller.
    await running[0]?.return?.();
    await running[1]?.return?.();
    expect((await first).value).toMatchObject({ type: 'text-delta' });
    expect(bounds.waitingCount).toBe(8);
    await endAll([one, ...running]);
    await Promise.all(
      waiting.map(async (step, index) => {
        await step;
        await flood[index]?.return?.();
      }),
    );
  });

  it('refuses what is beyond its bound, with the time to wait and the pace of the model', async () => {
    const running = await occupy('a');
    const streams = await Promise.all(Array.from({ length: 10 }, () => begin('a')));
    const waiting = streams.map((stream) => stream.next());
    await untilWaiting(10);
    const over = await begin('a');
    const error: unknown = await over.next().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 429, code: 'too_many_waiting' });
    const { message, retryAfter } = error as EngineError;
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(message).toContain('"base" gives 8 answers at a time');
    expect(message).toContain(`in ${retryAfter} s`);
    const left = Promise.allSettled(waiting);
    await endAll([...streams, ...running]);
    await left;
    expect(bounds.waitingCount).toBe(0);
  });
});
