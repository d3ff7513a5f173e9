import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import type { Engine } from '#server/engine/engine.ts';
import { ask, BASE, IDLE } from '#server/engine/sampleModel.fixture.ts';
import { openUpstreamEngine, type UpstreamOptions } from './upstreamEngine.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

interface Upstream {
  readonly engine: Engine;
  readonly seen: { method: string; url: string; authorization: string | undefined; body: string }[];
  readonly server: Server;
}

const opened: Upstream[] = [];
afterEach(async () => {
  for (const { engine, server } of opened.splice(0)) {
    await engine.close();
    server.closeAllConnections();
    server.close();
  }
});

const MODELS = JSON.stringify({
  object: 'list',
  data: [{ id: 'm', created: 7, object: 'model', owned_by: 'vllm' }, { id: 'org/n' }, { broken: true }],
});
const KEY = 'sk-very-secret';

async function openUpstream(
  onChat: Handler,
  options: Partial<UpstreamOptions> & { path?: string; onModels?: Handler } = {},
): Promise<Upstream> {
  const seen: Upstream['seen'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        authorization: request.headers.authorization,
        body,
      });
      if (!request.url?.endsWith('/models')) return onChat(request, response, body);
      if (options.onModels) return options.onModels(request, response, body);
      response.setHeader('content-type', 'application/json').end(MODELS);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${options.path ?? ''}`;
  const upstream = { engine: openUpstreamEngine({ baseUrl, apiKey: KEY, ...options }), seen, server };
  opened.push(upstream);
  return upstream;
}

const chunk = (delta: object, rest: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...rest }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}\n\n`;

function stream(response: ServerResponse, ...parts: readonly string[]): ServerResponse {
  response.setHeader('content-type', 'text/event-stream');
  for (const part of parts) response.write(part);
  return response;
}

const hello: Handler = (_request, response) => {
  stream(
    response,
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hel' }),
    chunk({ content: 'lo' }),
    chunk({}, { finish_reason: 'stop' }),
    USAGE,
    'data: [DONE]\n\n',
  ).end();
};

async function errorOf(
  promise: Promise<unknown>,
): Promise<Error & { code?: string; status?: number; param?: string | null }> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('It should have failed.');
  expect(error.message).not.toContain(KEY);
  return error;
}

describe('models', () => {
  it.each(['', '/', '/v1', '/v1/', '/openai/v1'])('are listed for a base address that ends with "%s"', async (path) => {
    const { engine, seen } = await openUpstream(hello, { path });
    expect(await engine.listModels()).toEqual([
      { id: 'm', created: 7, object: 'model', owned_by: 'vllm' },
      { id: 'org/n', created: 0, object: 'model', owned_by: expect.stringContaining('127.0.0.1') as string },
    ]);
    expect(seen).toMatchObject([
      {
        method: 'GET',
        url: path.startsWith('/openai') ? '/openai/v1/models' : '/v1/models',
        authorization: `Bearer ${KEY}`,
      },
    ]);
  });

  it('are asked for once, and again for an unknown one', async () => {
    const { engine, seen } = await openUpstream(hello);
    await ask(engine, 'm', { messages: BASE });
    await ask(engine, 'm', { messages: BASE });
    expect(seen.map(({ url }) => url)).toEqual(['/v1/models', '/v1/chat/completions', '/v1/chat/completions']);
    expect(await engine.load('other', IDLE)).toBeNull();
    expect(seen).toHaveLength(4);
  });

  it('stay listed when the server is gone, which is said once, and when it is back', async () => {
    const lines: string[] = [];
    let isGone = false;
    const onModels: Handler = (_request, response) => {
      if (isGone) response.destroy();
      else response.setHeader('content-type', 'application/json').end(MODELS);
    };
    const { engine } = await openUpstream(hello, { onModels, report: (line) => lines.push(line) });
    const before = await engine.listModels();
    isGone = true;
    for (let round = 0; round < 3; round += 1) expect(await engine.listModels()).toEqual(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^The engine at \S+ can't be reached \(ECONNRESET\).* stays listed; /);
    isGone = false;
    // It is asked again in the background.
    await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 10_000 });
    expect(lines[1]).toMatch(/answers again\.$/);
    expect(await engine.listModels()).toEqual(before);
  });

  it('an answer that is no list is an error', async () => {
    const { engine } = await openUpstream(hello, { onModels: (_request, response) => response.end('<html>') });
    expect(await errorOf(engine.listModels())).toMatchObject({ status: 502, code: 'upstream_unreadable' });
  });

  it.each(['ftp://host', 'host:80', 'http://user:pw@host', 'http://host/?key=1'])('%s is no address', (baseUrl) => {
    expect(() => openUpstreamEngine({ baseUrl, apiKey: null })).toThrow(/STUDIO_ENGINE_KEY/);
  });

  it('a server that is not there is said to be unreachable', async () => {
    const { engine, server } = await openUpstream(hello);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    expect(await errorOf(engine.load('m', IDLE))).toMatchObject({
      status: 503,
      code: 'engine_unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });
});

describe('answers', () => {
  it('stream text and usage', async () => {
    const { engine } = await openUpstream(hello);
    const answer = await ask(engine, 'm', { messages: BASE });
    expect(answer).toMatchObject({
      text: 'Hello',
      end: { finish_reason: 'stop', usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    });
    expect(answer.events).toHaveLength(3);
  });

  it('send only the fields of the contract, with the defaults of SPEC 4.3 spelled out', async () => {
    const { engine, seen } = await openUpstream(hello);
    const request: ChatRequest & { logit_bias?: object } = {
      model: 'alias',
      messages: [
        { role: 'developer', content: 'd' },
        { role: 'user', content: 'u', name: 'n' },
      ],
      max_completion_tokens: 9,
      seed: -3,
      stop: ['x'],
      response_format: { type: 'json_schema', schema: { type: 'object' } },
      tools: [{ type: 'function', function: { name: 'f', strict: null } }],
      tool_choice: 'auto',
      stream: false,
      logit_bias: { 1: 100 },
    };
    await ask(engine, 'm', request);
    expect(JSON.parse(seen[1]?.body ?? '')).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'd' },
        { role: 'user', content: 'u', name: 'n' },
      ],
      temperature: 0.7,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      max_completion_tokens: 9,
      max_tokens: 9,
      seed: -3,
      stop: ['x'],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
      },
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: 'auto',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('a top_p of 0 is sent as the most likely token, in values that every server takes', async () => {
    const { engine, seen } = await openUpstream(hello);
    await ask(engine, 'm', { messages: BASE, temperature: 1.5, top_p: 0 });
    await ask(engine, 'm', { messages: BASE, temperature: 1.5, top_p: 0.01 });
    const sent = seen.slice(1).map(({ body }) => JSON.parse(body) as unknown);
    expect(sent).toMatchObject([
      { temperature: 0, top_p: 1 },
      { temperature: 1.5, top_p: 0.01 },
    ]);
  });

  it('stream reasoning and tool calls', async () => {
    const call = (index: number, rest: object): string => chunk({ tool_calls: [{ index, ...rest }] });
    const { engine } = await openUpstream((_request, response) => {
      stream(
        response,
        chunk({ reasoning_content: 'hm' }),
        call(0, { id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
        call(0, { function: { arguments: '{"x"' } }),
        call(0, { function: { arguments: ':1}' } }),
        call(1, { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }),
        chunk({}, { finish_reason: 'tool_calls' }),
        'data: [DONE]\n\n',
      ).end();
    });
    const answer = await ask(engine, 'm', { messages: BASE });
    expect(answer.calls).toEqual([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'g', arguments: '{}' },
    ]);
    expect(answer.events[0]).toEqual({ type: 'reasoning-delta', text: 'hm' });
    expect(answer.end).toEqual({ type: 'message-end', finish_reason: 'tool_calls', usage: null });
  });

  it('are read from a server that does not stream, and in any cut', async () => {
    const whole = {
      id: 'c',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    const json = await openUpstream((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(whole)),
    );
    expect(await ask(json.engine, 'm', { messages: BASE })).toMatchObject({
      text: 'Hi',
      end: { finish_reason: 'length' },
    });
    const bytes = Buffer.from(`${chunk({ content: 'é🙂' })}${chunk({}, { finish_reason: 'stop' })}data: [DONE]\n\n`);
    const cut = await openUpstream((_request, response) => {
      stream(response);
      const send = (at: number): void => {
        if (at === bytes.length) return void response.end();
        response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
      };
      send(0);
    });
    expect((await ask(cut.engine, 'm', { messages: BASE })).text).toBe('é🙂');
  });
});

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
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
  ])('a Retry-After of %s is kept as %s', async (given, expected) => {
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
    await isClosed;
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
