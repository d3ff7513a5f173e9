// A remote studio that falls silent in the middle of an answer.
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sseDecoder } from '#core/stream/sseDecode.ts';
import { toRemoteError } from './remoteError.ts';
import { PROJECT_ID, TOKEN, type TestService } from '#service/http/testService.fixture.ts';
import { listen } from '#service/files/keep.fixture.ts';
import { keepGateway, keepUpstream } from './gateway.fixture.ts';

const CHAT = '/api/v1/chat/completions';
const TREE = `/api/v1/public/projects/${PROJECT_ID}`;
const BEARER = { Authorization: `Bearer ${TOKEN}` };
afterEach(() => void vi.useRealTimers());

const startChat = (service: TestService, stream = true): Promise<Response> =>
  fetch(service.origin + CHAT, {
    method: 'POST',
    headers: { ...BEARER, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'x' }] }),
  });

const JSON_HEAD = { 'content-type': 'application/json' };
const STREAM_HEAD = { 'content-type': 'text/event-stream' };

describe('a remote that sends the start of a body and then nothing', () => {
  it.each([
    ['a tree', { readMs: 60 }, (service: TestService) => fetch(service.origin + TREE, { headers: BEARER })],
    ['a whole chat answer', { chatMs: 60 }, (service: TestService) => startChat(service, false)],
  ])('%s is cut off, and the remote is let go', async (_name, timing, ask) => {
    const gone = vi.fn<() => void>();
    const service = await keepGateway(
      (_, outgoing) => void outgoing.on('close', gone).writeHead(200, JSON_HEAD).write('{"project":'),
      { timing: { heartbeatMs: 20, ...timing } },
    );
    await expect(ask(service).then((answer) => answer.text())).rejects.toThrow();
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
    await vi.waitFor(() => expect(service.streams.count).toBe(0));
  });

  it('an error is a 502', async () => {
    const url = await listen(createServer((_, outgoing) => void outgoing.writeHead(500, JSON_HEAD).write('{"error":')));
    const answer = await new Promise<IncomingMessage>((resolve) => void get(url, resolve).on('error', () => undefined));
    const upstream = keepUpstream(url);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const problem = expect(toRemoteError(answer, upstream)).rejects.toMatchObject({
      status: 502,
      code: 'remote_silent',
    });
    vi.advanceTimersByTime(60_000);
    await problem;
  });

  it.each([
    ['a tree', (service: TestService) => fetch(service.origin + TREE, { headers: BEARER })],
    ['a chat answer', (service: TestService) => startChat(service)],
  ])('a refusal of %s is passed on without its words, and the remote is let go', async (_name, ask) => {
    const gone = vi.fn<() => void>();
    const service = await keepGateway(
      (_, outgoing) => void outgoing.on('close', gone).writeHead(403, JSON_HEAD).write('{"error":'),
      { timing: { readMs: 60 } },
    );
    const answer = await ask(service);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      error: { code: 'remote_forbidden', message: expect.stringContaining('did not say why') as string },
    });
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
    expect(service.streams.count).toBe(0);
  });

  it('a stream gets heartbeats, and after the limit an error event', async () => {
    const gone = vi.fn<() => void>();
    const service = await keepGateway(
      (_, outgoing) => {
        outgoing.on('close', gone).writeHead(200, STREAM_HEAD).write('data: 1\n\n');
      },
      { timing: { heartbeatMs: 20, chatMs: 120 } },
    );
    const text = await (await startChat(service)).text();
    expect(text).toMatch(/^data: 1\n\n(: heartbeat\n){3,}\n\ndata: /);
    const events = sseDecoder()
      .push(text)
      .map(({ data }) => data);
    expect(events).toEqual(['1', expect.stringContaining('"code":"remote_silent"')]);
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
    await vi.waitFor(() => expect(service.streams.count).toBe(0));
  });
});

describe('a remote that thinks long', () => {
  it('is waited for up to the limit, and its caller hears that the connection lives', async () => {
    let remote: ServerResponse | undefined;
    const service = await keepGateway((_, outgoing) => {
      remote = outgoing.writeHead(200, STREAM_HEAD);
      outgoing.flushHeaders();
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const answer = await startChat(service);
    vi.advanceTimersByTime(585_000);
    remote?.end('data: late\n\n');
    expect(await answer.text()).toBe(`${': heartbeat\n'.repeat(39)}data: late\n\n`);
  });

  it('a pause within an event leaves the event whole', async () => {
    const service = await keepGateway(
      async (_, outgoing) => {
        const quiet = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 60));
        outgoing.writeHead(200, STREAM_HEAD).write('data: ha');
        await quiet();
        outgoing.write('lf\ndata: two\n');
        await quiet();
        outgoing.end('\n');
      },
      { timing: { heartbeatMs: 10 } },
    );
    const text = await (await startChat(service)).text();
    expect(text).toContain(': heartbeat\n');
    expect(
      sseDecoder()
        .push(text)
        .map(({ data }) => data),
    ).toEqual(['half\ntwo']);
  });

  it('no line of ours gets into a compressed stream', async () => {
    const service = await keepGateway(
      async (_, outgoing) => {
        outgoing.writeHead(200, { ...STREAM_HEAD, 'content-encoding': 'x-own' }).flushHeaders();
        await new Promise((resolve) => void setTimeout(resolve, 60));
        outgoing.end('bytes');
      },
      { timing: { heartbeatMs: 10 } },
    );
    expect(await (await startChat(service)).text()).toBe('bytes');
  });
});
