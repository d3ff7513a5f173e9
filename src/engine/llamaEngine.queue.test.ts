// Many callers of one model: who waits costs nothing, callers take turns, and what hangs holds nobody up.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { withAbort } from './abort.ts';
import type { Engine, EngineError, EngineEvent } from './engine.ts';
import { openModelHost, type HostOptions, type ModelHost } from '#engine/host/modelHost.ts';
import { QueueBounds } from './queueBounds.ts';
import { BASE, IDLE, openSampleEngine } from './sampleModel.fixture.ts';
import { SlotPool } from './slotPool.ts';

/** Goes on until the context is full. */
const LONG: ChatRequest = {
  model: 'base',
  messages: BASE,
  response_format: {
    type: 'json_schema',
    schema: { type: 'array', items: { type: 'integer', minimum: 1000 }, minItems: 1000 },
  },
};

let engine: Engine;
/** Answers that a process was asked for. */
const answered = vi.fn();
const bounds = new QueueBounds({ perCaller: 10, inAll: 100 });
const openWatched = (options: HostOptions): ModelHost => {
  const host = openModelHost(options);
  return {
    ...host,
    answer(...given) {
      answered();
      return host.answer(...given);
    },
  };
};
beforeAll(() => {
  engine = openSampleEngine({ bounds, openHost: openWatched });
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

const untilWaiting = (count: number): Promise<void> =>
  vi.waitFor(() => expect(bounds.waitingCount).toBe(count), { timeout: 20_000 });
const endAll = (streams: readonly AsyncIterator<EngineEvent>[]): Promise<unknown> =>
  Promise.all(streams.map((stream) => stream.return?.()));

describe('the queue of a model', () => {
  it('prepares nothing for those that wait', async () => {
    answered.mockClear();
    const running = await occupy('a');
    const streams = await Promise.all([begin('a'), begin('a')]);
    const firsts = streams.map((stream) => stream.next());
    await untilWaiting(2);
    expect(answered).toHaveBeenCalledTimes(8);
    await running[0]?.return?.();
    await firsts[0];
    expect([answered.mock.calls.length, bounds.waitingCount]).toEqual([9, 1]);
    await running[1]?.return?.();
    await firsts[1];
    await endAll([...running, ...streams]);
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

it('a complete answer tells how long the next one may take', async () => {
  const model = await engine.load('base', IDLE);
  const entered = vi.spyOn(SlotPool.prototype, 'enter');
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 60_000));
  const request: ChatRequest = { model: 'base', messages: BASE, max_completion_tokens: 2 };
  for await (const event of model?.generate(request, IDLE) ?? []) expect(event).toBeDefined();
  const pool = entered.mock.contexts[0] as SlotPool;
  expect(pool.secondsUntilTurn('a')).toBeGreaterThan(1);
  clock.mockRestore();
  entered.mockRestore();
});

describe('what hangs', () => {
  const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
  const closing = { answersMs: 20, memoryMs: 500 };

  it('a process: an abort frees the caller at once, and the process is ended, so that others are answered', async () => {
    const hosts: ModelHost[] = [];
    const stuck = openSampleEngine({
      closing,
      report: () => undefined,
      openHost(options) {
        const host = openModelHost({ ...options, leaveMs: 50 });
        hosts.push(host);
        return host;
      },
    });
    const controller = new AbortController();
    const streams = await Promise.all(Array.from({ length: 8 }, () => begin('a', controller.signal, stuck)));
    await Promise.all(streams.map((stream) => stream.next()));
    process.kill(hosts[0]?.pid ?? 0, 'SIGSTOP');
    controller.abort();
    const nexts = await Promise.allSettled(streams.map((stream) => stream.next()));
    expect(nexts.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'rejected'));
    await hosts[0]?.ended;
    const model = await stuck.load('base', IDLE);
    const plain: EngineEvent[] = [];
    for await (const event of model?.generate({ model: 'base', messages: BASE, max_completion_tokens: 2 }, IDLE) ?? [])
      plain.push(event);
    expect(plain.at(-1)?.type).toBe('message-end');
    expect(hosts).toHaveLength(2);
    await stuck.close();
  });

  it('a load: callers are told that the engine closes, and closing comes to an end', async () => {
    const stuck = openSampleEngine({ closing, openHost: (options) => ({ ...openModelHost(options), look: never }) });
    const loading = stuck.load('base', IDLE);
    const told = expect(loading).rejects.toMatchObject({ status: 503, code: 'engine_closed' });
    await new Promise(setImmediate);
    await stuck.close();
    await told;
  });

  it('a process that does not end: closing comes to an end', async () => {
    const stuck = openSampleEngine({
      closing,
      openHost: (options) => ({ ...openModelHost(options), closeModel: never, freeWeights: never }),
    });
    await stuck.load('base', IDLE);
    await expect(stuck.close()).resolves.toBeUndefined();
  });

  it('a load that takes long: no more than the bound wait for it', async () => {
    const stuck = openSampleEngine({
      closing,
      bounds: new QueueBounds({ perCaller: 2, inAll: 3 }),
      openHost: (options) => ({ ...openModelHost(options), look: (_, signal) => withAbort(never(), signal) }),
    });
    const controller = new AbortController();
    const waiting = ['a', 'a', 'b'].map((caller) => stuck.load('base', controller.signal, caller));
    const ended = Promise.allSettled(waiting);
    await new Promise(setImmediate);
    await expect(stuck.load('base', IDLE, 'a')).rejects.toMatchObject({
      status: 429,
      code: 'too_many_waiting',
      message: expect.stringContaining('is being loaded') as string,
    });
    await expect(stuck.load('base', IDLE, 'c')).rejects.toMatchObject({ status: 429, code: 'queue_full' });
    // Whether there is such a model is said at once all the same.
    expect(await stuck.load('none', IDLE, 'a')).toBeNull();
    controller.abort();
    await ended;
    const next = new AbortController();
    const room = stuck.load('base', next.signal, 'a');
    next.abort();
    await expect(room).rejects.toMatchObject({ name: 'AbortError' });
    await stuck.close();
  });

  it('a load in place of a model that was given up: no more than the bound wait for it', async () => {
    let isStuck = false;
    const small = openSampleEngine({
      closing,
      maxContexts: 0,
      bounds: new QueueBounds({ perCaller: 2, inAll: 3 }),
      openHost(options) {
        const host = openModelHost(options);
        return {
          ...host,
          loadWeights: (file, signal) => (isStuck ? withAbort(never(), signal) : host.loadWeights(file, signal)),
        };
      },
    });
    const model = await small.load('replies', IDLE);
    // It makes the first one leave the memory.
    await small.load('base', IDLE);
    isStuck = true;
    const request = { model: 'replies', messages: BASE };
    const controller = new AbortController();
    const ask = (caller: string): AsyncIterator<EngineEvent> | undefined =>
      model?.generate(request, controller.signal, caller)[Symbol.asyncIterator]();
    const waiting = Promise.allSettled(['a', 'a', 'b'].map((caller) => ask(caller)?.next()));
    await new Promise(setImmediate);
    await expect(ask('a')?.next()).rejects.toMatchObject({ status: 429, code: 'too_many_waiting' });
    await expect(ask('c')?.next()).rejects.toMatchObject({ status: 429, code: 'queue_full' });
    controller.abort();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await small.close();
  });
});
