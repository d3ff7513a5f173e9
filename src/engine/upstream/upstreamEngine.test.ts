import { describe, expect, it, vi } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { ask, BASE, IDLE } from '#engine/sampleModel.fixture.ts';
import { openUpstreamEngine } from './upstreamEngine.ts';
import { chunk, errorOf, hello, KEY, MODELS, openUpstream, stream, type Handler } from './upstreamEngine.fixture.ts';

describe('models', () => {
  it.each(['', '/', '/v1', '/v1/', '/openai/v1'])('are listed for a base address that ends with "%s"', async (path) => {
    const { engine, seen } = await openUpstream(hello, { path });
    expect(await engine.listModels()).toEqual([
      {
        id: 'm',
        created: 7,
        object: 'model',
        owned_by: 'vllm',
        supported_parameters: ['top_k', 'min_p', 'repetition_penalty', 'logprobs'],
      },
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
    const { engine, seen } = await openUpstream(
      (_request, response) => void stream(response, chunk({ content: '{}' }), 'data: [DONE]\n\n').end(),
    );
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

  it('are asked for again without defaults that the server refuses, which is remembered and said', async () => {
    const { engine, seen } = await openUpstream((request, response, body) => {
      const sent = JSON.parse(body) as object;
      const refused = ['temperature', 'max_tokens'].find((name) => name in sent);
      if (refused === undefined) return hello(request, response, body);
      const error = { message: `Unsupported: ${refused}`, param: refused };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const first = await ask(engine, 'm', { messages: BASE, max_completion_tokens: 5 });
    expect(first).toMatchObject({ text: 'Hello', end: { omitted: ['temperature'] } });
    const chats = () => seen.filter(({ method }) => method === 'POST').length;
    expect(chats()).toBe(3);
    expect((await ask(engine, 'm', { messages: BASE, max_completion_tokens: 5 })).end.omitted).toEqual(['temperature']);
    expect(chats()).toBe(4);
    // What a caller wants is not left out.
    expect(await errorOf(ask(engine, 'm', { messages: BASE, temperature: 1 }))).toMatchObject({ status: 400 });
    expect((await ask(engine, 'org/n', { messages: BASE })).end.omitted).toEqual(['temperature']);
    expect(chats()).toBe(7);
  });

  it('come from a model that was named, of a server without a list', async () => {
    const onModels: Handler = (_request, response) => void response.writeHead(404).end('{"detail":"Not Found"}');
    const unnamed = await openUpstream(hello, { onModels });
    expect(await errorOf(unnamed.engine.check())).toMatchObject({
      code: 'upstream_lists_nothing',
      message: expect.stringContaining('--engine-model') as string,
    });
    const { engine } = await openUpstream(hello, { onModels, named: ['mine'] });
    expect((await engine.listModels()).map(({ id }) => id)).toEqual(['mine']);
    await engine.check();
    expect((await ask(engine, 'mine', { messages: BASE })).text).toBe('Hello');
    const listing = await openUpstream(hello, { named: ['mine', 'm'] });
    expect((await listing.engine.listModels()).map(({ id }) => id)).toEqual(['m', 'org/n', 'mine']);
  });

  it('are held to what was asked for', async () => {
    const { engine } = await openUpstream(hello);
    const asked = ask(engine, 'm', { messages: BASE, response_format: { type: 'json_object' } });
    expect(await errorOf(asked)).toMatchObject({ status: 502, code: 'schema_not_followed' });
    expect((await ask(engine, 'm', { messages: BASE, stop: 'l' })).text).toBe('He');
  });

  it('hand on the log probabilities of tokens, which cut no stop sequence in two', async () => {
    const entry = (token: string) => ({ token, logprob: -0.5, bytes: null, top_logprobs: [{ token, logprob: -0.5 }] });
    const { engine, seen } = await openUpstream((_request, response) => {
      const send = (text: string): string => chunk({ content: text }, { logprobs: { content: [entry(text)] } });
      stream(
        response,
        ...['a', 'EN', 'D', 'b'].map(send),
        chunk({}, { finish_reason: 'stop' }),
        'data: [DONE]\n\n',
      ).end();
    });
    const { text, events } = await ask(engine, 'm', { messages: BASE, stop: 'END', logprobs: true, top_logprobs: 1 });
    expect(text).toBe('a');
    const tokens = events.flatMap((event) => (event.type === 'logprobs' ? event.tokens : []));
    expect(tokens.map(({ token }) => token)).toEqual(['a', 'EN']);
    expect(tokens[0]).toEqual({ ...entry('a'), top_logprobs: [{ token: 'a', logprob: -0.5, bytes: null }] });
    expect(JSON.parse(seen.at(-1)?.body ?? '')).toMatchObject({ logprobs: true, top_logprobs: 1 });
  });

  it('are refused where the server would ignore what is asked for', async () => {
    const { engine, seen } = await openUpstream(hello);
    expect(await errorOf(ask(engine, 'org/n', { messages: BASE, min_p: 0.1 }))).toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'min_p',
    });
    expect(seen.filter(({ method }) => method === 'POST')).toEqual([]);
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
