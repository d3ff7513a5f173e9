// An abort frees the engine in every phase: loading, queued, before the first token, in mid-stream; so does leaving.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { EngineEvent, LoadedModel } from './engine.ts';
import { ask, BASE, conversation, IDLE as idle, openSampleEngine } from './sampleModel.fixture.ts';

const engine = openSampleEngine();
afterAll(() => engine.close());

/** Goes on until the context is full. */
const ENDLESS = {
  response_format: {
    type: 'json_schema' as const,
    schema: { type: 'array', items: { type: 'integer', minimum: 1000 }, minItems: 1000 },
  },
};
const long: ChatRequest = { model: 'base', messages: BASE, ...ENDLESS };
const deep: ChatRequest = {
  ...long,
  messages: conversation('You are a support assistant.', 'order word '.repeat(140)),
};

async function loadBase(): Promise<LoadedModel> {
  const model = await engine.load('base', idle);
  if (model === null) throw new Error('There is no base model.');
  return model;
}

let model: LoadedModel;
beforeAll(async () => {
  model = await loadBase();
});

function begin(request: ChatRequest, signal: AbortSignal): AsyncIterator<EngineEvent> {
  return model.generate(request, signal)[Symbol.asyncIterator]();
}

/** Starts `count` answers and waits until each of them has begun. */
async function occupy(count: number): Promise<readonly AsyncIterator<EngineEvent>[]> {
  const streams = Array.from({ length: count }, (_, seed) => begin({ ...long, seed }, idle));
  await Promise.all(streams.map((stream) => stream.next()));
  return streams;
}

/** All eight sequences must be free: eight answers run at once and end. */
async function expectAllFree(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, seed) => ask(engine, 'base', { messages: BASE, seed, max_completion_tokens: 3 })),
  );
  expect(answers.map(({ end }) => end.type)).toEqual(Array.from({ length: 8 }, () => 'message-end'));
}

async function expectAbort(promise: Promise<unknown> | undefined): Promise<void> {
  await expect(promise).rejects.toMatchObject({ name: 'AbortError' });
}

describe('abort', () => {
  it('while loading: the caller is free at once, others are served', async () => {
    const fresh = openSampleEngine();
    try {
      const controller = new AbortController();
      const left = fresh.load('replies', controller.signal);
      const stays = fresh.load('replies', idle);
      controller.abort();
      await expectAbort(left);
      expect((await stays)?.id).toBe('replies');
      const only = new AbortController();
      const alone = fresh.load('orders', only.signal);
      only.abort();
      await expectAbort(alone);
      expect(
        (await ask(fresh, 'orders', { messages: BASE, max_completion_tokens: 2 })).end.usage?.completion_tokens,
      ).toBeLessThanOrEqual(2);
    } finally {
      await fresh.close();
    }
  });

  it('before anything has begun', async () => {
    await expectAbort(begin(long, AbortSignal.abort()).next());
    await expectAbort(engine.load('base', AbortSignal.abort()));
  });

  it('while queued: the place is given up and the queue moves on', async () => {
    const streams = await occupy(8);
    const controller = new AbortController();
    const aborted = begin(long, controller.signal).next();
    const waiting = begin(long, idle);
    const first = waiting.next();
    controller.abort();
    // All eight sequences are still taken: the caller waits for none of them.
    await expectAbort(aborted);
    await streams[0]?.return?.();
    expect((await first).value).toMatchObject({ type: 'text-delta' });
    await Promise.all([...streams, waiting].map((stream) => stream.return?.()));
    await expectAllFree();
  });

  it('before the first token of a long prompt', async () => {
    const controller = new AbortController();
    const first = begin({ ...deep, seed: 1 }, controller.signal).next();
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expectAbort(first);
    await expectAllFree();
  });

  it('in mid-stream, and the other answers go on', async () => {
    const controller = new AbortController();
    const [other] = await occupy(1);
    const stream = begin(long, controller.signal);
    for (let count = 0; count < 10; count += 1) await stream.next();
    controller.abort();
    await expectAbort(stream.next());
    expect((await other?.next())?.done).toBe(false);
    await other?.return?.();
    await expectAllFree();
  });

  it('with a reason of another kind is still an AbortError', async () => {
    const controller = new AbortController();
    controller.abort(new Error('client went away'));
    await expectAbort(begin(long, controller.signal).next());
  });
});

describe('leaving the iteration', () => {
  it('frees the sequence after a break', async () => {
    for (let round = 0; round < 10; round += 1) {
      for await (const event of model.generate({ ...long, seed: round }, idle)) if (event.type === 'text-delta') break;
    }
    await expectAllFree();
  });

  it('frees it while a step is still pending, and gives up a place in the queue', async () => {
    const streams = await occupy(8);
    const queued = begin(long, idle);
    const pending = queued.next();
    const left = queued.return?.();
    await expectAbort(pending);
    await left;
    const running = streams.map((stream) => ({ next: stream.next().catch(() => null), left: stream.return?.() }));
    await Promise.all(running.flatMap(({ next, left: done }) => [next, done]));
    await expectAllFree();
  });

  it('costs nothing when it never began', async () => {
    const stream = begin(long, idle);
    expect(await stream.return?.()).toMatchObject({ done: true });
    await expectAllFree();
  });
});

describe('queue', () => {
  it('serves more requests than sequences, first come, first served', async () => {
    const running = await occupy(8);
    const begun: number[] = [];
    const waiting = Array.from({ length: 8 }, (_, index) => {
      const stream = begin({ ...long, seed: index }, idle);
      return { stream, first: stream.next().then(() => begun.push(index)) };
    });
    // Each answer that leaves lets exactly the next one in: the others can't begin, whatever the machine is busy with.
    for (const [index, left] of running.entries()) {
      await left.return?.();
      await waiting[index]?.first;
      expect(begun).toEqual(Array.from({ length: index + 1 }, (_, nth) => nth));
    }
    await Promise.all(waiting.map(({ stream }) => stream.return?.()));
    await expectAllFree();
  });

  it('serves all of many short answers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, seed) =>
        ask(engine, 'base', {
          messages: BASE,
          seed,
          max_completion_tokens: 6,
          response_format: ENDLESS.response_format,
        }),
      ),
    );
    expect(answers.map(({ end }) => end.usage?.completion_tokens)).toEqual(answers.map(() => 6));
  });
});

describe('close', () => {
  it('ends running answers with an error that says so, and refuses new ones', async () => {
    const fresh = openSampleEngine();
    const loaded = await fresh.load('base', idle);
    const stream = loaded?.generate(long, idle)[Symbol.asyncIterator]();
    await stream?.next();
    // Tokens that were on their way are read before the error.
    const readRest = async (): Promise<void> => {
      while ((await stream?.next())?.done === false);
    };
    const rest = readRest();
    const closed = fresh.close();
    await expect(rest).rejects.toMatchObject({ status: 503, code: 'engine_closed' });
    await closed;
    await expect(fresh.load('base', idle)).rejects.toMatchObject({ code: 'engine_closed' });
  });

  it('needs no model to have been used', async () => {
    await expect(openSampleEngine().close()).resolves.toBeUndefined();
  });
});
