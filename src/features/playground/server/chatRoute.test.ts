// Chat on an engine over real HTTP: both forms of an answer, failures in every phase, callers who leave or stall.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { chunkSchema, completionSchema } from '#core/contract/completion.ts';
import { openTestService, TOKEN } from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());
beforeEach(() => {
  service.engine.aborted.length = 0;
});

const CHAT = '/api/v1/chat/completions';
const body = (model: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  model,
  messages: [{ role: 'user', content: 'x' }],
  ...more,
});

describe('a whole answer (SPEC 2.4)', () => {
  it('follows the schema', async () => {
    const answer = await service.post(CHAT, body('plain'));
    const completion = completionSchema.parse(answer.json());
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'full/plain',
      system_fingerprint: 'fp_1',
      created: 1_790_000_000,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Grüße "you"\n' } }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
    expect(completion.id).toMatch(/^chatcmpl-[\w-]{24}$/);
  });

  it('has no usage when none is known, and null content when it only calls tools', async () => {
    expect((await service.post(CHAT, body('no-usage'))).json()).not.toHaveProperty('usage');
    const answer = completionSchema.parse((await service.post(CHAT, body('tools'))).json());
    expect(answer.choices[0]?.message).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'look_up', arguments: '{"id":7}' } },
        { id: 'call_b', type: 'function', function: { name: 'send', arguments: '{}' } },
      ],
    });
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('keeps thinking apart', async () => {
    expect((await service.post(CHAT, body('thinking'))).json()).toMatchObject({
      choices: [{ message: { content: 'yes', reasoning_content: 'hm' } }],
    });
  });
});

it('the log probabilities of tokens are whole or in chunks of their own, and a wrong wish for them is a 400', async () => {
  const token = { token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -2, bytes: null }] };
  const asked = { logprobs: true, top_logprobs: 1 };
  const whole = completionSchema.parse((await service.post(CHAT, body('probable', asked))).json());
  expect(whole.choices[0]?.logprobs).toEqual({ content: [token, { ...token, token: '.' }] });
  const streamed = await service.post(CHAT, body('probable', { ...asked, stream: true }));
  const chunks = dataOf(streamed.text)
    .slice(0, -1)
    .map((data) => chunkSchema.parse(data));
  expect(chunks.flatMap(({ choices: [choice] }) => choice?.logprobs?.content ?? [])).toEqual([
    token,
    { ...token, token: '.' },
  ]);
  expect(service.engine.requests.at(-1)).toMatchObject(asked);
  for (const [fields, param] of [
    [{ top_k: -1 }, 'top_k'],
    [{ top_k: 1.5 }, 'top_k'],
    [{ min_p: 1.1 }, 'min_p'],
    [{ repetition_penalty: 0 }, 'repetition_penalty'],
    [{ top_logprobs: 3 }, 'top_logprobs'],
  ] as const) {
    const refused = await service.post(CHAT, body('plain', fields));
    expect([refused.status, refused.json()]).toMatchObject([400, { error: { param } }]);
  }
});

/** The `data:` lines of a stream, each read as JSON but the end mark. */
const dataOf = (text: string): unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => (event === 'data: [DONE]' ? 'DONE' : (JSON.parse(event.slice(6)) as unknown)));

describe('a stream (SPEC 6)', () => {
  it('is a role, deltas, a finish, the end mark; each chunk follows the schema', async () => {
    const answer = await service.post(CHAT, body('plain', { stream: true }));
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const data = dataOf(answer.text);
    expect(data.pop()).toBe('DONE');
    const chunks = data.map((value) => chunkSchema.parse(value));
    expect(chunks.map((chunk) => chunk.choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Grüße ' },
      { content: '"you"\n' },
      {},
    ]);
    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([null, null, null, 'stop']);
    expect(
      new Set(chunks.map((chunk) => `${chunk.id} ${chunk.model} ${chunk.created} ${chunk.system_fingerprint}`)).size,
    ).toBe(1);
    expect(chunks.some((chunk) => chunk.usage)).toBe(false);
  });

  it('has usage in one more chunk when asked for, and when known', async () => {
    const options = { stream: true, stream_options: { include_usage: true } };
    const data = dataOf((await service.post(CHAT, body('plain', options))).text);
    expect(chunkSchema.parse(data.at(-2))).toMatchObject({ choices: [], usage: { total_tokens: 5 } });
    const unknown = dataOf((await service.post(CHAT, body('no-usage', options))).text);
    expect(chunkSchema.parse(unknown.at(-2)).choices[0]?.finish_reason).toBe('length');
  });

  it('carries thinking and tool calls', async () => {
    const thinking = dataOf((await service.post(CHAT, body('thinking', { stream: true }))).text)
      .slice(0, -1)
      .map((value) => chunkSchema.parse(value).choices[0]?.delta);
    expect(thinking).toContainEqual({ reasoning_content: 'hm' });
    const tools = dataOf((await service.post(CHAT, body('tools', { stream: true }))).text)
      .slice(0, -1)
      .map((value) => chunkSchema.parse(value).choices[0]?.delta.tool_calls?.[0]);
    expect(tools.filter(Boolean)).toEqual([
      { index: 0, id: 'call_a', type: 'function', function: { name: 'look_up', arguments: '' } },
      { index: 0, function: { arguments: '{"id":' } },
      { index: 0, function: { arguments: '7}' } },
      { index: 1, id: 'call_b', type: 'function', function: { name: 'send', arguments: '{}' } },
    ]);
  });
});

describe('failures', () => {
  it.each([false, true])('before the first byte they have their status (stream: %s)', async (stream) => {
    const unknown = await service.post(CHAT, body('nobody', { stream }));
    expect(unknown.status).toBe(404);
    expect(unknown.json()).toMatchObject({ error: { code: 'model_not_found', param: 'model' } });
    const elsewhere = await service.post(CHAT, body('elsewhere', { stream }));
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.json()).toMatchObject({
      error: {
        code: 'model_served_elsewhere',
        message: expect.stringMatching(/host-b \(process 7\)\. Start all/) as string,
      },
    });
    const overflow = await service.post(CHAT, body('overflow', { stream }));
    expect(overflow.status).toBe(400);
    expect(overflow.json()).toMatchObject({ error: { code: 'context_length_exceeded', param: 'messages' } });
    expect((await service.post(CHAT, body('damaged', { stream }))).status).toBe(500);
    expect((await service.post(CHAT, body('__proto__', { stream }))).status).toBe(404);
  });

  it.each([
    ['breaks-late', 'out_of_memory', 'The engine ran out of memory.'],
    ['crashes-late', 'internal_error', 'request id'],
    ['never-ends', 'engine_stopped', 'without finishing'],
  ])('%s: said in the stream, after the text, without the end mark', async (model, code, message) => {
    const answer = await service.post(CHAT, body(model, { stream: true }));
    expect(answer.status).toBe(200);
    const data = dataOf(answer.text);
    expect(data).not.toContain('DONE');
    expect(data.at(-2)).toMatchObject({ choices: [{ delta: { content: 'half ' } }] });
    expect(data.at(-1)).toMatchObject({ error: { code, message: expect.stringContaining(message) as string } });
    expect(answer.text).not.toContain('secret inner detail');
  });

  it('late failures of a whole answer have their status', async () => {
    expect((await service.post(CHAT, body('breaks-late'))).status).toBe(503);
    expect((await service.post(CHAT, body('never-ends'))).status).toBe(500);
  });
});

interface OpenAnswer {
  readonly response: IncomingMessage;
  leave(): void;
}

/** Starts a chat request; resolves with its head. `leave` works before that too. */
function start(model: string, more: Record<string, unknown> = {}): { head: Promise<OpenAnswer>; leave(): void } {
  const request = httpRequest({
    port: service.port,
    host: '127.0.0.1',
    path: CHAT,
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` },
  });
  const leave = (): void => void request.destroy();
  const head = new Promise<OpenAnswer>((resolve, reject) => {
    request.on('response', (response) => {
      response.on('error', () => undefined);
      resolve({ response, leave });
    });
    request.on('error', reject);
  });
  head.catch(() => undefined);
  request.end(JSON.stringify(body(model, more)));
  return { head, leave };
}

describe('a caller who leaves', () => {
  it.each([
    ['while the model loads', 'loads-forever', true],
    ['before the first token', 'silent', true],
    ['in mid-stream', 'stalls', true],
    ['while a whole answer is made', 'stalls', false],
    ['before a whole answer began', 'silent', false],
  ])('%s ends the run at once', async (_, model, stream) => {
    const { leave } = start(model, { stream });
    await vi.waitFor(() => expect(service.streams.count).toBe(1));
    leave();
    await vi.waitFor(() => expect(service.engine.aborted).toEqual([model]), { timeout: 1000 });
    await vi.waitFor(() => expect(service.streams.count).toBe(0));
    expect(service.log).toEqual(expect.not.arrayContaining([expect.stringContaining('Abort')]));
  });

  it('a finished answer is not an abort', async () => {
    await service.post(CHAT, body('plain', { stream: true }));
    await service.post(CHAT, body('plain'));
    expect(service.engine.aborted).toEqual([]);
    expect(service.streams.count).toBe(0);
  });
});

describe('slow ones', () => {
  it('a slow first token: headers come within the grace, comments keep the connection', async () => {
    const { response, leave } = await start('silent', { stream: true }).head;
    expect(response.statusCode).toBe(200);
    const text = await new Promise<string>((resolve) =>
      response.once('data', (data: Buffer) => resolve(data.toString())),
    );
    expect(text).toBe(': heartbeat\n\n');
    leave();
    await vi.waitFor(() => expect(service.streams.count).toBe(0));
  });

  it('a reader who takes nothing is dropped, and memory stays bounded', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const { response } = await start('flood', { stream: true }).head;
    response.pause();
    await vi.waitFor(() => expect(service.engine.aborted).toEqual(['flood']), { timeout: 5000 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
    response.destroy();
  });
});

describe('shutting down', () => {
  it('ends streams with an error event and whole answers with 503', async () => {
    const ending = await openTestService();
    const streamed = ending.post(CHAT, body('stalls', { stream: true }));
    const whole = ending.post(CHAT, body('silent'));
    await vi.waitFor(() => expect(ending.streams.count).toBe(2));
    ending.streams.endAll();
    expect(dataOf((await streamed).text).at(-1)).toMatchObject({ error: { code: 'shutting_down' } });
    expect((await whole).status).toBe(503);
    expect(ending.engine.aborted.sort()).toEqual(['silent', 'stalls']);
    // One that comes while the service ends is not left hanging.
    expect((await ending.post(CHAT, body('silent'))).status).toBe(503);
    await ending.close();
  });
});
