// Gateway mode against a real remote studio over HTTP: what goes up, what comes down, and every way in which it fails.
import { request as httpRequest } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { TOKEN, UNKNOWN_ID, type TestService } from '#service/http/testService.fixture.ts';
import { findRemoteJob } from './remoteJobs.ts';
import { openRemoteStudio, REMOTE_IDS, type RemoteOptions, type RemoteStudio } from './remoteStudio.ts';
import { atEnd, keep } from '#service/files/keep.fixture.ts';
import { keepGateway } from '#app/server/gateway/gateway.fixture.ts';

const KEY = 'remote-secret';
const CHAT = '/api/v1/chat/completions';
const PROJECTS = '/api/v1/public/projects';
const JOBS = '/api/v1/public/finetuning';

const openGateway = (url: string, apiKey = KEY): Promise<TestService> => keepGateway(url, { apiKey });

async function openPair(options: Partial<RemoteOptions> = {}): Promise<{ remote: RemoteStudio; service: TestService }> {
  const remote = await keep(openRemoteStudio({ token: KEY, ...options }));
  return { remote, service: await openGateway(remote.url) };
}

const body = (model: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  model,
  messages: [{ role: 'user', content: 'Hi 世界' }],
  stream: true,
  ...more,
});

/** The remote's own answer, for comparison byte by byte. */
async function askRemote(remote: RemoteStudio, value: unknown): Promise<string> {
  const answer = await fetch(remote.url + CHAT, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  });
  return answer.text();
}

describe('what goes up', () => {
  it('only the key and allowed headers', async () => {
    const { remote, service } = await openPair();
    const headers = {
      Cookie: 'studio_1=secret',
      'X-Forwarded-For': '1.2.3.4',
      'X-Api-Key': 'mine',
      Origin: service.origin,
      Referer: 'http://x/',
      'If-None-Match': '"a"',
      Accept: 'application/json',
    };
    await service.askSigned(`${PROJECTS}/${REMOTE_IDS.project}`, { headers });
    await service.post(CHAT, body('echo', { stream: false }), { Cookie: 'studio_1=secret' });
    expect(remote.requests).toHaveLength(2);
    for (const request of remote.requests) {
      expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(JSON.stringify(request.headers)).not.toContain(TOKEN);
      const names = Object.keys(request.headers).toSorted();
      expect(
        names.filter(
          (name) =>
            ![
              'accept',
              'accept-encoding',
              'authorization',
              'connection',
              'content-length',
              'content-type',
              'host',
              'if-none-match',
              'user-agent',
            ].includes(name),
        ),
      ).toEqual([]);
    }
  });

  it('a validated body without unknown fields', async () => {
    const { remote, service } = await openPair();
    await service.post(
      CHAT,
      body('echo', {
        stream: false,
        temperature: 0,
        api_base: 'http://evil.example',
        messages: [{ role: 'user', content: 'x', extra: 1 }],
      }),
    );
    expect(remote.requests[0]?.body).toEqual({
      model: 'echo',
      stream: false,
      temperature: 0,
      messages: [{ role: 'user', content: 'x' }],
    });
    const wrong = await service.post(CHAT, body('echo', { temperature: 3 }));
    expect(wrong.status).toBe(400);
    expect(wrong.json()).toMatchObject({ error: { param: 'temperature' } });
    for (const path of [PROJECTS, JOBS]) expect((await service.askSigned(`${path}/..%2f..%2fadmin`)).status).toBe(400);
    expect((await service.ask(PROJECTS)).status).toBe(401);
    expect(remote.requests).toHaveLength(1);
  });
});

describe('what comes down', () => {
  it.each([
    'echo',
    'stream:300:0',
    'fault:no-done',
    'fault:no-end',
    'fault:error-event',
    'fault:error-data',
    'fault:not-json',
    'fault:usage-chunk',
    'fault:reasoning',
    'fault:tool-calls',
    'fault:split-utf8',
  ])('the bytes of %s unchanged', async (model) => {
    const { remote, service } = await openPair({ tokensPerSecond: 0 });
    const answer = await service.post(CHAT, body(model));
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache, no-transform');
    expect(answer.headers['x-accel-buffering']).toBe('no');
    expect(answer.headers['x-request-id']).toBe('remote-request');
    expect(answer.text).toBe(await askRemote(remote, body(model)));
  });

  it('a whole answer, and lists', async () => {
    const { service } = await openPair();
    expect((await service.post(CHAT, body('echo', { stream: false }))).json()).toMatchObject({
      object: 'chat.completion',
      model: 'echo',
    });
    expect((await service.askSigned(PROJECTS)).json()).toMatchObject({ projects: [{ id: REMOTE_IDS.project }] });
    expect((await service.askSigned('/api/v1/models')).json()).toMatchObject({ object: 'list' });
    expect((await service.askSigned(`/api/v1/public/recommendations/${REMOTE_IDS.snapshot}`)).json()).toMatchObject({
      status: 'processing',
      recommended_models: null,
    });
    expect((await service.askSigned('/api/session')).status).toBe(200);
    const examples = await service.askSigned('/api/examples/echo');
    expect([examples.status, examples.json()]).toEqual([200, null]);
  });

  it('a job with all that the remote tells of it; 404 where it tells of none', async () => {
    const { service, remote } = await openPair();
    const answer = await service.askSigned(`${JOBS}/${REMOTE_IDS.job}`);
    expect(answer.json()).toEqual(findRemoteJob(REMOTE_IDS.job, { statuses: new Map(), nodes: 0 }));
    expect(remote.requests.map((request) => request.path)).toEqual([`${JOBS}/${REMOTE_IDS.job}`]);
    expect((await service.askSigned(`${JOBS}/${UNKNOWN_ID}`)).status).toBe(404);
    const bare = await openPair({ hasJobs: false });
    expect((await bare.service.askSigned(`${JOBS}/${REMOTE_IDS.job}`)).status).toBe(404);
  });

  it('deltas while the remote has not ended', async () => {
    const { remote, service } = await openPair();
    const answer = await fetch(service.origin + CHAT, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body('fault:stall')),
    });
    const reader = answer.body?.getReader();
    let text = '';
    while (!text.includes('here')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(remote.running()).toBe(1);
    await reader?.cancel();
    await vi.waitFor(() => expect(remote.running()).toBe(0));
  });

  it('the ETag of the remote, and a 304 without a body for it', async () => {
    const { service, remote } = await openPair({ hasEtags: true });
    const path = `${PROJECTS}/${REMOTE_IDS.project}`;
    const first = await service.askSigned(path);
    const etag = String(first.headers['etag']);
    const same = await service.askSigned(path, { headers: { 'If-None-Match': etag } });
    expect([same.status, same.body.length, same.headers['etag']]).toEqual([304, 0, etag]);
    remote.setStatus(REMOTE_IDS.running, 'succeeded');
    const changed = await service.askSigned(path, { headers: { 'If-None-Match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
  });
});

describe('errors of the remote', () => {
  it.each([
    [`${PROJECTS}/${UNKNOWN_ID}`, 404, { error: 'Project not found.' }],
    [`${PROJECTS}/${REMOTE_IDS.brokenProject}`, 500, { message: 'The tree could not be read.' }],
    [
      `/api/v1/public/recommendations/${REMOTE_IDS.errorSnapshot}`,
      500,
      { error: 'Recommendations are not available.' },
    ],
  ])('%s is passed on as it is', async (path, status, value) => {
    const { service } = await openPair();
    const answer = await service.askSigned(path);
    expect(answer.status).toBe(status);
    expect(answer.json()).toEqual(value);
    expect(answer.headers['etag']).toBeUndefined();
  });

  it('lists that a bare remote lacks are 404', async () => {
    const { service } = await openPair({ hasLists: false });
    expect((await service.askSigned(PROJECTS)).status).toBe(404);
    expect((await service.askSigned('/api/v1/models')).status).toBe(404);
  });

  it('429 keeps its Retry-After', async () => {
    const { service } = await openPair();
    const answer = await service.post(CHAT, body('fault:429'));
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('HTML is passed on as plain text: no page of the remote under this origin', async () => {
    const { service } = await openPair();
    const answer = await service.post(CHAT, body('fault:500-html'));
    expect(answer.status).toBe(500);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('a redirect is not followed', async () => {
    const { service } = await openPair();
    const answer = await service.post(CHAT, body('fault:redirect'));
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({
      error: { code: 'remote_redirect', message: expect.stringContaining('http://127.0.0.1:9') as string },
    });
    expect(answer.headers.location).toBeUndefined();
  });

  it('a refused key is a 502, so that nobody takes it for a bad cookie; no message holds the key', async () => {
    const remote = await keep(openRemoteStudio({ token: 'another' }));
    const service = await openGateway(remote.url);
    for (const answer of [await service.askSigned(PROJECTS), await service.post(CHAT, body('echo'))]) {
      expect(answer.status).toBe(502);
      expect(answer.json()).toMatchObject({ error: { code: 'remote_refused_key' } });
      expect(answer.text).not.toContain(KEY);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  });
});

/** A server that does with each connection what it is told. */
async function openTcp(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer();
  server.on('connection', onConnection);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a remote that is not there', () => {
  it('is a 502 with its reason, and comes back by itself', async () => {
    const first = await openRemoteStudio({ token: KEY });
    const service = await openGateway(first.url);
    expect((await service.askSigned(PROJECTS)).status).toBe(200);
    await first.close();
    const down = await service.askSigned(PROJECTS);
    expect(down.status).toBe(502);
    expect(down.json()).toMatchObject({
      error: { code: 'remote_unreachable', message: expect.stringContaining('refused') as string },
    });
    expect((await service.post(CHAT, body('echo'))).status).toBe(502);
    await keep(openRemoteStudio({ token: KEY, port: first.port }));
    expect((await service.askSigned(PROJECTS)).status).toBe(200);
  });

  it.each([
    ['http://no-such-host.invalid', /host name|looked up/],
    ['https://127.0.0.1:PORT', /TLS|certificate|not HTTP|connection/],
  ])('%s', async (url, reason) => {
    const { port } = (await openPair()).remote;
    const service = await openGateway(url.replace('PORT', String(port)));
    const answer = await service.askSigned(PROJECTS);
    expect(answer.status).toBe(502);
    expect((answer.json() as { error: { message: string } }).error.message).toMatch(reason);
  });

  it('that does not speak HTTP, or hangs up, is a 502', async () => {
    const noise = await openGateway(
      await openTcp((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH\r\n'))),
    );
    expect((await noise.askSigned(PROJECTS)).json()).toMatchObject({
      error: { message: expect.stringContaining('not answer in HTTP') as string },
    });
    const shy = await openGateway(await openTcp((socket) => socket.destroy()));
    expect((await shy.askSigned(PROJECTS)).status).toBe(502);
    const { service } = await openPair();
    expect((await service.post(CHAT, body('fault:destroy'))).status).toBe(502);
  });

  it('that hangs up in the middle of a tree cuts the answer off, so that half a tree is not taken for a whole one', async () => {
    const service = await openGateway(
      await openTcp((socket) =>
        socket.on('data', () => {
          socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"projects":[',
            () => socket.destroy(),
          );
        }),
      ),
    );
    await expect(service.askSigned(PROJECTS)).rejects.toThrow('aborted');
  });

  it('that closed an idle connection is asked once more on a new one', async () => {
    let connections = 0;
    const service = await openGateway(
      await openTcp((socket) => {
        connections += 1;
        let requests = 0;
        socket.on('error', () => undefined);
        socket.on('data', () => {
          requests += 1;
          if (requests > 1) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
        });
      }),
    );
    expect((await service.askSigned(PROJECTS)).status).toBe(200);
    expect((await service.askSigned(PROJECTS)).status).toBe(200);
    expect(connections).toBe(2);
  });
});

describe('a stream that breaks', () => {
  it('a cut remote is seen as a cut', async () => {
    const { service } = await openPair();
    const answer = await fetch(service.origin + CHAT, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body('fault:cut')),
    });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it.each([
    ['before the first byte', 'fault:silent', true],
    ['in mid-stream', 'fault:stall', true],
    ['while a whole answer is made', 'fault:stall', false],
  ])('a caller who leaves %s is seen by the remote', async (_, model, stream) => {
    const { remote, service } = await openPair();
    const request = httpRequest({
      port: service.port,
      host: '127.0.0.1',
      path: CHAT,
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` },
    });
    request.on('error', () => undefined);
    request.on('response', (response) => response.on('error', () => undefined));
    request.end(JSON.stringify(body(model, { stream })));
    await vi.waitFor(() => expect(remote.running()).toBe(1));
    request.destroy();
    await vi.waitFor(() => expect(remote.aborted).toEqual([model]), { timeout: 1000 });
    await vi.waitFor(() => expect(service.streams.count).toBe(0));
  });
});
