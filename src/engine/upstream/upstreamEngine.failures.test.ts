import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ask, BASE, IDLE } from '#engine/sampleModel.fixture.ts';
import { chunk, errorOf, hello, KEY, openUpstream, stream } from './upstreamEngine.fixture.ts';

describe('failures', () => {
  it.each<[number, string, object]>([
    [
      400,
      '{"error":{"message":"bad schema","code":"x","param":"response_format"}}',
      { status: 400, code: 'x', param: 'response_format', message: 'bad schema' },
    ],
    [422, '{"detail":"no"}', { status: 422, code: 'upstream_rejected' }],
    [
      401,
      `{"error":{"message":"Incorrect API key: ${KEY}"}}`,
      { status: 502, code: 'upstream_refused', message: expect.stringContaining('STUDIO_ENGINE_KEY') as string },
    ],
    [403, 'forbidden', { status: 502, code: 'upstream_refused' }],
    [404, '{"error":{"message":"no such model"}}', { status: 404, code: 'model_not_found' }],
    [429, '{"error":"slow down"}', { status: 429, code: 'rate_limited' }],
    [413, '{"error":"too many tokens"}', { status: 413, code: 'request_too_large' }],
    [
      503,
      '{"error":{"message":"Loading model"}}',
      {
        status: 503,
        code: 'upstream_not_ready',
        message: expect.stringContaining('Loading model') as string,
        retryAfter: null,
      },
    ],
    [
      500,
      '<h1>boom</h1>',
      { status: 502, code: 'upstream_failed', message: expect.stringContaining('boom') as string },
    ],
  ])('status %i', async (status, body, expected) => {
    const { engine } = await openUpstream((_request, response) => {
      response.statusCode = status;
      response.end(body);
    });
    expect(await errorOf(ask(engine, 'm', { messages: BASE }))).toMatchObject(expected);
  });

  it.each([
    ['7', '7'],
    [new Date(Date.now() + 3_600_000).toUTCString(), expect.stringMatching(/^3(?:600|59\d)$/) as string],
    ['Wed, 21 Oct 2020 07:28:00 GMT', null],
    ['soon', null],
    ['-1', null],
    ['1.5', '2'],
  ])('a Retry-After of %s is passed on in whole seconds', async (given, expected) => {
    for (const status of [429, 503]) {
      const { engine } = await openUpstream(
        (_request, response) => void response.writeHead(status, { 'retry-after': given }).end('{}'),
      );
      expect(await errorOf(ask(engine, 'm', { messages: BASE }))).toMatchObject({ status, retryAfter: expected });
    }
  });

  it('a redirect is never followed, and the key goes nowhere else', async () => {
    const elsewhere = await openUpstream(hello);
    const target = `http://127.0.0.1:${(elsewhere.server.address() as AddressInfo).port}/v1/chat/completions`;
    for (const status of [301, 302, 307, 308]) {
      const { engine } = await openUpstream((_request, response) => {
        response.writeHead(status, { location: target }).end();
      });
      expect(await errorOf(ask(engine, 'm', { messages: BASE }))).toMatchObject({
        status: 502,
        code: 'upstream_redirect',
      });
    }
    expect(elsewhere.seen).toEqual([]);
  });

  it('an error inside the stream comes after the text before it', async () => {
    const { engine } = await openUpstream((_request, response) => {
      stream(
        response,
        chunk({ content: 'so far' }),
        `data: {"error":{"message":"out of memory ${KEY}","code":"oom"}}\n\n`,
      ).end();
    });
    const loaded = await engine.load('m', IDLE);
    const events: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const event of loaded?.generate({ model: 'm', messages: BASE }, IDLE) ?? []) events.push(event);
    };
    expect(await errorOf(read())).toMatchObject({
      status: 502,
      code: 'oom',
      message: expect.stringContaining('out of memory') as string,
    });
    expect(events).toEqual([{ type: 'text-delta', text: 'so far' }]);
  });

  it('a stream that breaks off is an error, a finish_reason without [DONE] is not', async () => {
    const cut = await openUpstream((_request, response) => {
      stream(response, chunk({ content: 'a' }));
      response.write(chunk({ content: 'b' }), () => response.destroy());
    });
    expect(await errorOf(ask(cut.engine, 'm', { messages: BASE }))).toMatchObject({
      status: 502,
      code: 'upstream_interrupted',
    });
    const ended = await openUpstream(
      (_request, response) =>
        void stream(response, chunk({ content: 'a' }), chunk({}, { finish_reason: 'length' })).end(),
    );
    expect((await ask(ended.engine, 'm', { messages: BASE })).end.finish_reason).toBe('length');
  });

  it('silence ends in an error', async () => {
    const timeouts = { connectMs: 1000, idleMs: 60 };
    const silent = await openUpstream(() => undefined, { timeouts });
    expect(await errorOf(ask(silent.engine, 'm', { messages: BASE }))).toMatchObject({
      status: 503,
      message: expect.stringContaining('no answer in time') as string,
    });
    const stalled = await openUpstream((_request, response) => void stream(response, chunk({ content: 'a' })), {
      timeouts,
    });
    expect(await errorOf(ask(stalled.engine, 'm', { messages: BASE }))).toMatchObject({
      status: 502,
      code: 'upstream_interrupted',
    });
  });
});

describe('abort', () => {
  it('reaches the server before it has answered and in mid-stream', async () => {
    for (const parts of [[], [chunk({ content: 'a' })]]) {
      const controller = new AbortController();
      let isClosed: Promise<unknown> = Promise.resolve();
      const { engine } = await openUpstream((_request, response) => {
        isClosed = new Promise((resolve) => {
          response.on('close', resolve);
        });
        if (parts.length > 0) stream(response, ...parts);
        else setImmediate(() => controller.abort());
      });
      const loaded = await engine.load('m', IDLE);
      const read = async (): Promise<void> => {
        for await (const event of loaded?.generate({ model: 'm', messages: BASE }, controller.signal) ?? [])
          if (event.type === 'text-delta') controller.abort();
      };
      expect(await errorOf(read())).toMatchObject({ name: 'AbortError' });
      await isClosed;
    }
  });

  it('of the list of models is an AbortError, too', async () => {
    const controller = new AbortController();
    const { engine } = await openUpstream(hello, { onModels: () => controller.abort() });
    expect(await errorOf(engine.load('m', controller.signal))).toMatchObject({ name: 'AbortError' });
  });

  it('leaving the iteration closes the connection', async () => {
    let isClosed: Promise<unknown> = Promise.resolve();
    const { engine } = await openUpstream((_request, response) => {
      isClosed = new Promise((resolve) => {
        response.on('close', resolve);
      });
      stream(response, chunk({ content: 'a' }));
    });
    const loaded = await engine.load('m', IDLE);
    for await (const event of loaded?.generate({ model: 'm', messages: BASE }, IDLE) ?? [])
      if (event.type === 'text-delta') break;
    await expect(isClosed).resolves.toBeUndefined();
  });

  it('closing the engine ends answers with a reason', async () => {
    const { engine } = await openUpstream((_request, response) => void stream(response, chunk({ content: 'a' })));
    const loaded = await engine.load('m', IDLE);
    const iterator = loaded?.generate({ model: 'm', messages: BASE }, IDLE)[Symbol.asyncIterator]();
    await iterator?.next();
    const next = iterator?.next();
    await Promise.all([engine.close(), expect(next).rejects.toMatchObject({ code: 'engine_closed' })]);
  });
});
