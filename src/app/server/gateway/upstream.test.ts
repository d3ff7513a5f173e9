// The gateway against small servers of its own making. With a whole remote studio it is tested in e2e.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type GatewayTiming } from './gatewayRoutes.ts';
import { PROJECT_ID, SNAPSHOT_ID, TOKEN, type TestService } from '#service/http/testService.fixture.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';
import { atEnd, listen } from '#service/files/keep.fixture.ts';
import { keepGateway, keepUpstream } from './gateway.fixture.ts';

const KEY = 'key-of-the-operator';
const PROJECTS = '/api/v1/public/projects';
const CHAT = '/api/v1/chat/completions';
afterEach(() => void vi.useRealTimers());

const openRemote = (listener: RequestListener): Promise<string> => listen(createServer(listener));
const open = (url: string): Upstream => keepUpstream(url, KEY);
const openGateway = (
  listener: RequestListener,
  { stallMs, ...timing }: Partial<GatewayTiming> & { readonly stallMs?: number } = {},
): Promise<TestService> =>
  keepGateway(listener, {
    apiKey: KEY,
    timing,
    ...(stallMs === undefined ? {} : { limits: { maxConnections: 100, stallMs } }),
  });

const request = (more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: 'GET',
  path: '/api/v1/models',
  headers: {},
  signal: new AbortController().signal,
  firstByteMs: 5_000,
  ...more,
});

const CHAT_BODY = { model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] };

/** A streamed chat; resolves with its head. */
const startChat = (service: TestService): Promise<Response> =>
  fetch(service.origin + CHAT, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(CHAT_BODY),
  });

async function readText(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of message) text += String(part);
  return text;
}

describe('openUpstream', () => {
  it('sends the key, the path below the base, and the body with its length', async () => {
    const seen: { url?: string; headers?: IncomingMessage['headers']; body?: string } = {};
    const url = await openRemote(async (incoming, outgoing) => {
      Object.assign(seen, { url: incoming.url, headers: incoming.headers, body: await readText(incoming) });
      outgoing.end('ok');
    });
    const answer = await open(`${url}/base/`).send(
      request({ method: 'POST', headers: { accept: 'x/y' }, body: '{"a":"ü"}' }),
    );
    expect(await readText(answer)).toBe('ok');
    expect(seen.url).toBe('/base/api/v1/models');
    expect(seen.body).toBe('{"a":"ü"}');
    expect(seen.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      accept: 'x/y',
      'accept-encoding': 'identity',
      'content-length': '10',
      'user-agent': 'model-studio/9.9',
    });
  });

  it('keeps connections', async () => {
    const sockets = new Set<Socket>();
    const upstream = open(
      await openRemote((incoming, outgoing) => {
        sockets.add(incoming.socket);
        outgoing.end('ok');
      }),
    );
    for (let count = 0; count < 5; count += 1) await readText(await upstream.send(request()));
    expect(sockets.size).toBe(1);
  });

  it('has the origin for people, without path and key', () => {
    expect(open('http://127.0.0.1:9/a/b').origin).toBe('http://127.0.0.1:9');
  });

  it('gives up on a remote that does not begin to answer', async () => {
    const gone = vi.fn<() => void>();
    const upstream = open(await openRemote((incoming) => void incoming.socket.on('close', gone)));
    await expect(upstream.send(request({ firstByteMs: 50 }))).rejects.toThrow(
      expect.objectContaining({ status: 502, code: 'remote_timeout' }) as Error,
    );
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
  });

  it('a slow answer that has begun is waited for', async () => {
    let finish = (): void => undefined;
    const upstream = open(
      await openRemote((_, outgoing) => {
        outgoing.write('a');
        finish = () => outgoing.end('b');
      }),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = await upstream.send(request({ firstByteMs: 60_000 }));
    vi.advanceTimersByTime(600_000);
    finish();
    expect(await readText(answer)).toBe('ab');
  });

  it('stops asking when the caller has left', async () => {
    const gone = vi.fn<() => void>();
    const arrived = vi.fn<() => void>();
    const upstream = open(
      await openRemote((incoming) => {
        arrived();
        incoming.socket.on('close', gone);
      }),
    );
    const aborter = new AbortController();
    const answer = upstream.send(request({ signal: aborter.signal }));
    answer.catch(() => undefined);
    await vi.waitFor(() => expect(arrived).toHaveBeenCalled());
    aborter.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
  });

  it('does not ask again on a new connection that broke', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).on('data', () => socket.destroy());
    });
    const url = await new Promise<string>(
      (resolve) =>
        void server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
    );
    atEnd(() => server.close());
    await expect(open(url).send(request())).rejects.toThrow(
      expect.objectContaining({ code: 'remote_unreachable' }) as Error,
    );
    expect(connections).toBe(1);
  });
});

describe('gateway routes', () => {
  it('ask for fixed paths', async () => {
    const urls: string[] = [];
    const service = await openGateway((incoming, outgoing) => {
      urls.push(`${incoming.method} ${incoming.url}`);
      outgoing.setHeader('content-type', 'application/json').end('{}');
    });
    await service.askSigned(`${PROJECTS}?page=2&x=../..`);
    await service.askSigned(`${PROJECTS}/${PROJECT_ID.toUpperCase()}#frag`);
    await service.askSigned(`/api/v1/public/recommendations/${SNAPSHOT_ID}`);
    await service.askSigned('/api/v1/models');
    await service.post(CHAT, { model: 'm', messages: [{ role: 'user', content: 'x' }] });
    expect(urls).toEqual([
      `GET ${PROJECTS}`,
      `GET ${PROJECTS}/${PROJECT_ID}`,
      `GET /api/v1/public/recommendations/${SNAPSHOT_ID}`,
      'GET /api/v1/models',
      `POST ${CHAT}`,
    ]);
  });

  it('pass on an allow-list of headers: the remote sets no cookie, no policy and no origin here', async () => {
    const passed = {
      'retry-after': '7',
      'retry-after-ms': '7000',
      'x-should-retry': 'true',
      'x-request-id': 'r',
      etag: '"e"',
    };
    const kept = {
      'set-cookie': 'a=b',
      'access-control-allow-origin': '*',
      location: 'http://evil.example',
      'www-authenticate': 'Basic',
      server: 'x',
    };
    const service = await openGateway((_, outgoing) => {
      outgoing.writeHead(200, {
        'content-type': 'application/json',
        'content-security-policy': 'default-src *',
        ...passed,
        ...kept,
      });
      outgoing.end('{}');
    });
    for (const answer of [await service.askSigned('/api/v1/models'), await service.post(CHAT, CHAT_BODY)]) {
      expect(answer.headers).toMatchObject({ ...passed, 'content-type': 'application/json' });
      for (const name of Object.keys(kept)) expect(answer.headers).not.toHaveProperty(name);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('a 403 is passed on in the words of the remote, without the key; its body is read to 64 KiB', async () => {
    const gone = vi.fn<() => void>();
    let body = JSON.stringify({ error: { message: `${KEY} may not use this model.`, code: 'plan' } });
    const service = await openGateway((incoming, outgoing) => {
      outgoing
        .on('close', gone)
        .writeHead(403, { 'content-type': 'application/json', 'www-authenticate': `Bearer ${KEY}` })
        .write(body);
      if (incoming.method === 'GET') outgoing.end();
    });
    const answer = await service.askSigned('/api/v1/models');
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({
      error: { code: 'plan', message: expect.stringContaining('… may not use this model.') as string },
    });
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(KEY);
    gone.mockClear();
    // One that never ends.
    body = 'No. '.repeat(20_000);
    expect(await service.post(CHAT, CHAT_BODY)).toMatchObject({
      status: 403,
      text: expect.stringContaining('No. No. ') as string,
    });
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
  });

  it.each([204, 205])('a remote that answers %i is passed on without a body', async (status) => {
    const service = await openGateway((_, outgoing) => void outgoing.writeHead(status).end());
    expect((await service.askSigned('/api/v1/models')).status).toBe(status);
  });

  it('a remote that honours the tag is believed', async () => {
    const tags: (string | undefined)[] = [];
    const service = await openGateway((incoming, outgoing) => {
      tags.push(incoming.headers['if-none-match']);
      outgoing.writeHead(304, { etag: '"v7"' }).end();
    });
    const answer = await service.askSigned(`${PROJECTS}/${PROJECT_ID}`, { headers: { 'If-None-Match': '"v7"' } });
    expect([answer.status, answer.headers['etag'], answer.body.length]).toEqual([304, '"v7"', 0]);
    expect(tags).toEqual(['"v7"']);
  });

  it('a caller who leaves while a tree is read is seen upstream', async () => {
    const gone = vi.fn<() => void>();
    let begun: (() => void) | undefined;
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const service = await openGateway((_, outgoing) => {
      outgoing.on('close', gone).writeHead(200, { 'content-type': 'application/json' });
      outgoing.write('{"project":', () => begun?.());
    });
    const aborter = new AbortController();
    const answer = fetch(`${service.origin}${PROJECTS}/${PROJECT_ID}`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
      signal: aborter.signal,
    });
    answer.catch(() => undefined);
    await isBegun;
    aborter.abort();
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
    await vi.waitFor(() => expect(service.streams.count).toBe(0));
    expect(service.log).toEqual([]);
  });

  it('a shutdown before the remote has answered is a 503, and so is what comes after it', async () => {
    const service = await openGateway(() => undefined);
    const answer = service.askSigned('/api/v1/models');
    await vi.waitFor(() => expect(service.streams.count).toBe(1));
    service.streams.endAll();
    expect((await answer).status).toBe(503);
    expect((await service.post(CHAT, CHAT_BODY)).status).toBe(503);
  });

  it('deltas arrive while the remote is still thinking', async () => {
    let remote: ServerResponse | undefined;
    const service = await openGateway((_, outgoing) => {
      remote = outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.flushHeaders();
    });
    const answer = await startChat(service);
    const reader = answer.body?.getReader();
    for (const text of ['data: 1\n\n', 'data: 2', '\n\n']) {
      remote?.write(text);
      const { value } = (await reader?.read()) ?? {};
      expect(Buffer.from(value ?? []).toString()).toBe(text);
    }
    remote?.end();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('a reader who takes nothing holds the remote back, and is dropped, and so is the remote', async () => {
    const gone = vi.fn<() => void>();
    let sent = 0;
    const service = await openGateway(
      (_, outgoing) => {
        const flood = (): void => {
          do sent += 500_000;
          while (!outgoing.destroyed && outgoing.write('x'.repeat(500_000)));
        };
        outgoing.on('close', gone).on('drain', flood).writeHead(200, { 'content-type': 'text/event-stream' });
        flood();
      },
      { stallMs: 300 },
    );
    const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    atEnd(() => socket.destroy());
    const value = JSON.stringify(CHAT_BODY);
    socket
      .pause()
      .write(
        `POST ${CHAT} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: ` +
          `application/json\r\nContent-Length: ${value.length}\r\n\r\n${value}`,
      );
    await vi.waitFor(() => expect(gone).toHaveBeenCalled(), { timeout: 10_000 });
    await vi.waitFor(() => expect(service.streams.count).toBe(0));
    // What the system's own buffers hold; unheld, a remote sends this in a few milliseconds.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('a shutdown ends a stream in the middle of an event, and takes nothing more from the remote', async () => {
    const gone = vi.fn<() => void>();
    const service = await openGateway(async (_, outgoing) => {
      outgoing.on('close', gone).writeHead(200, { 'content-type': 'text/event-stream' });
      while (!outgoing.destroyed) {
        outgoing.write('data: {"half');
        await new Promise(setImmediate);
      }
    });
    const answer = await startChat(service);
    service.streams.endAll();
    const events = (await answer.text()).trimEnd().split('\n\n');
    expect(JSON.parse(events.at(-1)?.slice('data: '.length) ?? '')).toMatchObject({ error: { code: 'shutting_down' } });
    await vi.waitFor(() => expect(gone).toHaveBeenCalled());
  });
});
