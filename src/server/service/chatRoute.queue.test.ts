// Chat answers over real HTTP when there are more than the engine may take: refused, in turn, left, or too long.
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ErrorEnvelope } from '#shared/contract/errors.ts';
import { openBoundedEngine } from '#server/engine/boundedEngine.ts';
import { QueueBounds } from '#server/engine/queueBounds.ts';
import { toCaller } from './caller.ts';
import { toChatRoute, type ChatTiming } from './chatRoute.ts';
import { openRoom } from './room.ts';
import { openTestEngine, type TestEngine } from './testEngine.fixture.ts';
import { openTestService, TOKEN, type TestService } from './testService.fixture.ts';

const CHAT = '/api/v1/chat/completions';
const TIMING: ChatTiming = { heartbeatMs: 60_000, stallMs: 60_000, behindMs: 60_000, graceMs: 60_000, totalMs: 60_000 };

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
async function openQueued(timing: Partial<ChatTiming> = {}, bodies = openRoom(1_000_000)): Promise<Queued> {
  const engine = openTestEngine();
  const bounds = new QueueBounds({ perCaller: 1, inAll: 2 });
  const bounded = openBoundedEngine(engine, { bounds, atOnce: 1 });
  service = await openTestService({
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

/** A request that is left to itself until it is destroyed. `from`: another address is another caller. */
function begin(port: number, model: string, from = '127.0.0.1', more: object = {}): ClientRequest {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    localAddress: from,
    path: CHAT,
    method: 'POST',
    headers,
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
    begin(port, 'silent', '127.0.0.2');
    await vi.waitFor(() => expect(bounds.waitingCount).toBe(2));
  });
});

describe('the bodies of all requests together', () => {
  const long = { user: 'x'.repeat(600) };

  it('are bounded while they run or wait: beyond that is a 429 with the time to wait', async () => {
    const bodies = openRoom(1_000);
    const {
      service: { port, post },
      engine,
    } = await openQueued({}, bodies);
    const running = begin(port, 'silent', '127.0.0.1', long);
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    const refused = await post(CHAT, body('plain', long));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(refused.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'too_many_bytes_waiting' } });
    running.destroy();
    await vi.waitFor(() => expect(bodies.taken).toBe(0));
    expect((await post(CHAT, body('plain', long))).status).toBe(200);
    expect((await post(CHAT, body('plain', { ...long, stream: true }))).status).toBe(200);
    expect(bodies.taken).toBe(0);
  });

  it('are given back when the request is refused', async () => {
    const bodies = openRoom(1_000);
    const {
      service: { post },
    } = await openQueued({}, bodies);
    expect((await post(CHAT, { model: 7 })).status).toBe(400);
    expect((await post(CHAT, body('none'))).status).toBe(404);
    expect(bodies.taken).toBe(0);
  });
});

describe('callers', () => {
  const incoming = (remoteAddress: string, headers: Record<string, string>): IncomingMessage =>
    ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;
  it('are told apart by address and by how they sign in, by nothing that one of them can make up', () => {
    const bearer = toCaller(incoming('1.2.3.4', { authorization: 'Bearer a' }));
    expect(
      toCaller(
        incoming('1.2.3.4', {
          authorization: 'bearer  a',
          cookie: 'x=1',
          'user-agent': 'b',
          'x-forwarded-for': '9.9.9.9',
        }),
      ),
    ).toBe(bearer);
    const session = toCaller(incoming('1.2.3.4', { cookie: 'studio_1=a; y=1' }));
    expect(toCaller(incoming('1.2.3.4', { cookie: 'studio_1=a; y=2' }))).toBe(session);
    expect(new Set([bearer, session, toCaller(incoming('1.2.3.5', { authorization: 'Bearer a' }))]).size).toBe(3);
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
