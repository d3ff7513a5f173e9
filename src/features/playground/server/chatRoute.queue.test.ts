// Chat answers over real HTTP when there are more than the engine may take: refused, in turn, left, or too long.
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ErrorEnvelope } from '#core/contract/errors.ts';
import { openBoundedEngine } from '#engine/boundedEngine.ts';
import { QueueBounds, type QueueLimits } from '#engine/queueBounds.ts';
import { toChatRoute, type ChatTiming } from './chatRoute.ts';
import { openMemoryBudget } from '#service/http/memoryBudget.ts';
import { openTestEngine, type TestEngine } from '#service/http/testEngine.fixture.ts';
import { openTestService, TOKEN, type TestService } from '#service/http/testService.fixture.ts';

const CHAT = '/api/v1/chat/completions';
const TIMING: ChatTiming = { heartbeatMs: 60_000, behindMs: 60_000, graceMs: 60_000, totalMs: 60_000 };

let service: TestService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

interface Queued {
  readonly service: TestService;
  readonly engine: TestEngine;
  readonly bounds: QueueBounds;
}

/** A service that answers one request at a time, and lets one of each caller and two in all wait. */
async function openQueued(
  timing: Partial<ChatTiming> = {},
  bodies = openMemoryBudget(1_000_000),
  { publicUrl, ...limits }: Partial<QueueLimits> & { readonly publicUrl?: URL } = {},
): Promise<Queued> {
  const engine = openTestEngine();
  const bounds = new QueueBounds({ perCaller: 1, inAll: 2, ...limits });
  const bounded = openBoundedEngine(engine, { bounds, atOnce: 1 });
  service = await openTestService({
    ...(publicUrl ? { publicUrl } : {}),
    routes: (streams) => [
      toChatRoute({
        engine: bounded,
        streams,
        now: Date.now,
        random: () => 'r',
        report: () => undefined,
        bodies,
        timing: { ...TIMING, ...timing },
      }),
    ],
  });
  return { service, engine, bounds };
}

const body = (model: string, more: object = {}): Record<string, unknown> => ({
  model,
  messages: [{ role: 'user', content: 'x' }],
  ...more,
});

interface Begin {
  /** Another address is another caller. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More fields of the body. */
  readonly more?: object;
}

/** A request that is left to itself until it is destroyed. */
function begin(port: number, model: string, { from = '127.0.0.1', headers, more }: Begin = {}): ClientRequest {
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    localAddress: from,
    path: CHAT,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(headers ?? { Authorization: `Bearer ${TOKEN}` }) },
    agent: false,
  });
  request.on('error', () => undefined).on('response', (response: IncomingMessage) => response.resume());
  request.end(JSON.stringify(body(model, more)));
  return request;
}

describe('a full queue', () => {
  it('is a 429 with the time to wait, also for a stream', async () => {
    const {
      service: { port, post },
      engine,
      bounds,
    } = await openQueued();
    begin(port, 'silent');
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    begin(port, 'silent');
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(1));
    for (const stream of [false, true]) {
      const answer = await post(CHAT, body('plain', { stream }));
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1']);
      const { error } = answer.json() as ErrorEnvelope;
      expect(error).toMatchObject({
        type: 'rate_limit_error',
        code: 'too_many_waiting',
        message: expect.stringMatching(/^1 of your requests .* in 1 s\.$/) as string,
      });
    }
  });

  it('says at once that there is no such model', async () => {
    const {
      service: { port, post },
      engine,
      bounds,
    } = await openQueued();
    begin(port, 'silent');
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    begin(port, 'silent');
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(1));
    expect((await post(CHAT, body('none'))).status).toBe(404);
  });

  it('a caller who leaves the queue gives its place to the next one', async () => {
    const {
      service: { port },
      engine,
      bounds,
    } = await openQueued();
    const running = begin(port, 'silent');
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    const waiting = begin(port, 'silent');
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(1));
    waiting.destroy();
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(0));
    const next = begin(port, 'silent');
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(1));
    running.destroy();
    await vi.waitFor(() => expect(engine.requests).toHaveLength(2));
    next.destroy();
    await vi.waitFor(() => expect(engine.aborted).toEqual(['silent', 'silent']));
  });

  it.runIf(process.platform === 'linux')('another address is another caller, with a place of its own', async () => {
    const {
      service: { port },
      engine,
      bounds,
    } = await openQueued();
    begin(port, 'silent');
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    begin(port, 'silent');
    begin(port, 'silent', { from: '127.0.0.2' });
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(2));
  });
});

describe('the bodies of all requests together', () => {
  const long = { user: 'x'.repeat(600) };

  it('are bounded while they run or wait: beyond that is a 429 with the time to wait', async () => {
    const bodies = openMemoryBudget(1_000);
    const {
      service: { port, post },
      engine,
    } = await openQueued({}, bodies);
    const running = begin(port, 'silent', { more: long });
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    const refused = await post(CHAT, body('plain', long));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(refused.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'too_many_bytes_waiting' } });
    running.destroy();
    await vi.waitFor(() => expect(bodies.reserved).toBe(0));
    expect((await post(CHAT, body('plain', long))).status).toBe(200);
    expect((await post(CHAT, body('plain', { ...long, stream: true }))).status).toBe(200);
    expect(bodies.reserved).toBe(0);
  });

  it('are given back when the request is refused', async () => {
    const bodies = openMemoryBudget(1_000);
    const {
      service: { post },
    } = await openQueued({}, bodies);
    expect((await post(CHAT, { model: 7 })).status).toBe(400);
    expect((await post(CHAT, body('none'))).status).toBe(404);
    expect(bodies.reserved).toBe(0);
  });
});

describe('behind a proxy on this machine', () => {
  const publicUrl = new URL('https://studio.example.com');

  it('each browser is a caller of its own, and each address of a program', async () => {
    const {
      service: { port, ask },
      engine,
      bounds,
    } = await openQueued({}, undefined, { publicUrl, perCaller: 1, inAll: 4 });
    const signIn = async (): Promise<Record<string, string>> => {
      const answer = await ask('/api/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: TOKEN }),
      });
      return { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' };
    };
    const program = (address: string): Record<string, string> => ({
      authorization: `Bearer ${TOKEN}`,
      'x-forwarded-for': `9.9.9.9, ${address}`,
    });
    const callers = [await signIn(), await signIn(), program('1.2.3.4'), program('1.2.3.5')];
    begin(port, 'silent');
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    for (const headers of callers) begin(port, 'silent', { headers });
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(4));
    for (const headers of callers) {
      const answer = await ask(CHAT, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body('plain')),
      });
      expect([answer.status, answer.json()]).toMatchObject([429, { error: { code: 'too_many_waiting' } }]);
    }
  });
});

describe('an answer that takes too long', () => {
  it('is ended with a status that says so, and frees its place', async () => {
    const {
      service: { post },
      engine,
    } = await openQueued({ totalMs: 30 });
    const answer = await post(CHAT, body('silent'));
    expect(answer.status).toBe(504);
    expect((answer.json() as ErrorEnvelope).error).toMatchObject({
      code: 'answer_too_long',
      message: expect.stringContaining('1 min') as string,
    });
    expect(engine.aborted).toEqual(['silent']);
    expect((await post(CHAT, body('plain'))).status).toBe(200);
  });

  it('in a stream that has begun, with an event', async () => {
    const {
      service: { post },
      engine,
    } = await openQueued({ totalMs: 200 });
    const answer = await post(CHAT, body('stalls', { stream: true }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"content":"first "');
    expect(answer.text).toMatch(/"code":"answer_too_long"[^\n]*\n\n$/);
    expect(engine.aborted).toEqual(['stalls']);
  });
});
