// The guard around everything, over real HTTP: hosts, headers, authentication, origins, methods.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  openTestService,
  PROJECT_ID,
  TOKEN,
  type Answer,
  type Ask,
  type TestService,
} from './testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());
const answer = await service.ask('/api/session', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ token: TOKEN }),
});
const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';

const PROJECTS = '/api/v1/public/projects';
const PATHS = [
  '/',
  '/?token=x',
  '/favicon.svg',
  '/assets/index-1a2b.js',
  '/healthz',
  '/reference',
  '/nothing',
  '/api/nothing',
  PROJECTS,
  '/api/session',
];
const STRANGERS = [
  'evil.example',
  'evil.example:4600',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '192.168.1.5',
  '0.0.0.0',
  '[::2]',
  'user@localhost',
  'localhost:port',
  'localhost:65536',
  'localhost:99999',
  'a b',
];

describe('Host allow-list (DNS rebinding)', () => {
  it.each(PATHS)('refuses a foreign host on %s', async (path) => {
    const { status, headers } = await service.askSigned(path, { headers: { Host: 'evil.example' } });
    expect(status).toBe(403);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each(STRANGERS)('refuses the host "%s"', async (host) => {
    const answer = await service.ask('/healthz', { headers: { Host: host } });
    expect([answer.status, answer.json()]).toMatchObject([403, { error: { code: 'host_not_allowed' } }]);
  });

  it.each([
    'localhost:65535',
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1',
    '127.0.0.1:9999',
    '127.8.8.8',
    '[::1]',
    '[::1]:80',
    'localhost.',
  ])('answers to %s', async (host) => {
    expect((await service.ask('/healthz', { headers: { Host: host } })).status).toBe(200);
  });

  it('refuses errors and wrong methods from a foreign host too', async () => {
    const headers = { Host: 'evil.example' };
    for (const method of ['POST', 'OPTIONS', 'DELETE', 'PUT', 'HEAD']) {
      expect((await service.ask(PROJECTS, { method, headers })).status).toBe(403);
    }
  });

  it('answers to the configured name, and to literal addresses when bound to all', async () => {
    const open = await openTestService({ host: '0.0.0.0' });
    expect((await open.ask('/healthz', { headers: { Host: '10.0.0.7:4600' } })).status).toBe(200);
    expect((await open.ask('/healthz', { headers: { Host: 'evil.example' } })).status).toBe(403);
    await open.close();
  });
});

describe('behind a proxy with TLS', () => {
  const publicUrl = new URL('https://studio.example.com');
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ token: TOKEN });
  let proxied: TestService;
  beforeAll(async () => {
    proxied = await openTestService({ publicUrl });
  });
  afterAll(() => proxied.close());

  it.each([
    ['keeps the Host', 'studio.example.com'],
    ['puts the address it asks in its place', '127.0.0.1:4600'],
  ])('signs in and works by cookie where the proxy %s', async (_, Host) => {
    const page = { Host, Origin: publicUrl.origin, 'Sec-Fetch-Site': 'same-origin' };
    const signedIn = await proxied.ask('/api/session', { method: 'POST', headers: { ...json, ...page }, body });
    expect(signedIn.status).toBe(204);
    const given = signedIn.headers['set-cookie']?.[0] ?? '';
    expect(given).toMatch(/^__Host-studio=.*; Secure;/);
    const Cookie = given.split(';')[0] ?? '';
    const chat = { method: 'POST', headers: { ...json, ...page, Cookie }, body: '{}' };
    // 400: the request got through to validation.
    expect((await proxied.ask('/api/v1/chat/completions', chat)).status).toBe(400);
    for (const Origin of ['https://evil.example', 'https://studio.example.com:8443', 'null']) {
      expect(
        (await proxied.ask('/api/v1/chat/completions', { ...chat, headers: { ...chat.headers, Origin } })).status,
      ).toBe(403);
    }
  });

  it("a page under the public name without TLS is not the studio's own", async () => {
    const headers = { ...json, Host: 'studio.example.com', Origin: 'http://studio.example.com' };
    expect((await proxied.ask('/api/session', { method: 'POST', headers, body })).status).toBe(403);
  });

  it("other names are still refused, this machine's own are not", async () => {
    expect((await proxied.ask('/healthz', { headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await proxied.ask('/healthz', { headers: { Host: 'a.studio.example.com' } })).status).toBe(403);
    expect((await proxied.ask('/healthz', { headers: { Host: 'Studio.Example.com:443' } })).status).toBe(200);
    expect((await proxied.ask('/healthz', { headers: { Host: 'localhost:4600' } })).status).toBe(200);
  });
});

/** Sends raw bytes and gives the whole answer. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('requests that no browser sends', () => {
  it.each([
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', '403'],
    ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', '403'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n', '403'],
    [
      'an absolute target',
      'GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      '400',
    ],
    ['not HTTP', 'hello\r\n\r\n', '400'],
    ['too many headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, '431'],
  ])('%s', async (_, text, status) => {
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/content-security-policy: default-src 'none'/i);
    expect(answer).toMatch(/x-content-type-options: nosniff/i);
  });

  it.each([
    ['Content-Length: x\r\n\r\n', 'The Content-Length is not a number. Say where the body ends'],
    ['Content-Length: 1\r\nContent-Length: 2\r\n\r\n', 'The request has more than one length'],
    ['Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 'Say once where the body ends'],
    ['Transfer-Encoding: chunked\r\n\r\nzz\r\n', 'does not begin with its size'],
    ['A B: c\r\n\r\n', 'A header has a character'],
    [`X: ${'x'.repeat(70_000)}\r\n\r\n`, 'larger than 64 KiB. Shorten the address'],
  ])('with %.40j: the answer says why', async (rest, words) => {
    expect(await sendRaw(`POST /api/session HTTP/1.1\r\nHost: localhost\r\n${rest}`)).toContain(words);
  });

  it.each([
    ['BREW / HTTP/1.1\r\n\r\n', 'does not begin with an HTTP method'],
    ['GET / HTTP/9.9\r\n\r\n', 'Use HTTP/1.1.'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'Use HTTP/1.1.'],
  ])('that begins with %j: the answer says why', async (text, words) => {
    expect(await sendRaw(text)).toContain(words);
  });

  it('cut off, says what happened', async () => {
    const head = 'POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{';
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(head));
    const answer = (await socket.toArray()).join('');
    expect(answer).toMatch(/HTTP\/1\.1 400 .*The connection ended before the whole request had arrived/s);
  });
});

describe('headers on everything', () => {
  it.each(PATHS)('%s', async (path) => {
    const { headers } = await service.ask(path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['x-request-id']).toMatch(/^[\w-]{16}$/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

const wrong = { Authorization: 'Bearer wrong' };

describe('authentication', () => {
  const right = { Authorization: `Bearer ${TOKEN}` };
  const table: [string, string, Ask, number][] = [
    ['no token', PROJECTS, {}, 401],
    ['bearer token', PROJECTS, { headers: right }, 200],
    ['lower-case scheme', PROJECTS, { headers: { Authorization: `bearer ${TOKEN}` } }, 200],
    ['wrong token', PROJECTS, { headers: wrong }, 401],
    ['a prefix of the token', PROJECTS, { headers: { Authorization: `Bearer ${TOKEN.slice(0, -1)}` } }, 401],
    ['the token and more', PROJECTS, { headers: { Authorization: `Bearer ${TOKEN}x` } }, 401],
    ['another scheme', PROJECTS, { headers: { Authorization: `Basic ${TOKEN}` } }, 401],
    ['empty bearer', PROJECTS, { headers: { Authorization: 'Bearer ' } }, 401],
    ['the token in another header', PROJECTS, { headers: { 'X-Api-Key': TOKEN } }, 401],
    ['the token in the query', `${PROJECTS}?token=${TOKEN}`, {}, 401],
    ['unknown endpoint without a token', '/api/nothing', {}, 401],
    ['unknown endpoint with it', '/api/nothing', { headers: right }, 404],
    ['another spelling of the path', '/%61pi/v1/public/projects', {}, 401],
    ['session without a token', '/api/session', {}, 401],
    ['session with it', '/api/session', { headers: right }, 200],
    ['the document', '/api/v1/openapi.json', {}, 401],
    ['health needs none', '/healthz', {}, 200],
    ['the page needs none', '/', {}, 200],
    ['its files need none', '/assets/index-1a2b.js', {}, 200],
    ['the reference page needs none', '/reference', {}, 200],
  ];
  it.each(table)('%s', async (_, path, options, status) => {
    const answer = await service.ask(path, options);
    expect(answer.status).toBe(status);
    if (status !== 401) return;
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
    expect(answer.json()).toMatchObject({ error: { type: 'authentication_error' } });
  });

  it('takes the cookie, also beside others of its name', async () => {
    const name = cookie.split('=')[0];
    expect((await service.ask(PROJECTS, { headers: { Cookie: cookie } })).status).toBe(200);
    expect((await service.ask(PROJECTS, { headers: { Cookie: `${name}=old; a=b; ${cookie}` } })).status).toBe(200);
    expect((await service.ask(PROJECTS, { headers: { Cookie: `${name}=${TOKEN}` } })).status).toBe(401);
    expect((await service.ask(PROJECTS, { headers: { Cookie: cookie.slice(0, -1) } })).status).toBe(401);
  });

  it('a wrong bearer token is not saved by a good cookie: one path decides', async () => {
    expect((await service.ask(PROJECTS, { headers: { ...wrong, Cookie: cookie } })).status).toBe(401);
  });
});

describe('requests from other sites', () => {
  const json = { 'Content-Type': 'application/json' };
  const post = (headers: Record<string, string>): Promise<Answer> =>
    service.ask('/api/v1/chat/completions', {
      method: 'POST',
      headers: { ...json, Cookie: cookie, ...headers },
      body: '{}',
    });
  const own = (): string => `http://127.0.0.1:${service.port}`;

  it('a cookie needs a header that vouches for the page', async () => {
    expect((await post({})).status).toBe(403);
    expect((await post({ Origin: 'http://evil.example' })).status).toBe(403);
    expect((await post({ Origin: 'null' })).status).toBe(403);
    expect((await post({ Origin: own().replace(/\d+$/, '1') })).status).toBe(403);
    expect((await post({ 'Sec-Fetch-Site': 'same-site' })).status).toBe(403);
    expect((await post({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post({ Origin: own(), 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post({ Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(403);
    // 400: the request got through to validation.
    expect((await post({ Origin: own() })).status).toBe(400);
    expect((await post({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(400);
    expect((await post({ 'Sec-Fetch-Site': 'none' })).status).toBe(400);
  });

  it('reading by cookie from another site is refused, from a script it is not', async () => {
    const read = (headers: Record<string, string>): Promise<Answer> =>
      service.ask(PROJECTS, { headers: { Cookie: cookie, ...headers } });
    expect((await read({ 'Sec-Fetch-Site': 'same-site' })).status).toBe(403);
    expect((await read({ Origin: 'http://localhost:3000' })).status).toBe(403);
    expect((await read({})).status).toBe(200);
  });

  it('no sign-in for another site, and no sign-out', async () => {
    const body = JSON.stringify({ token: TOKEN });
    const foreign = { Origin: 'http://evil.example' };
    expect((await service.ask('/api/session', { method: 'POST', headers: { ...json, ...foreign }, body })).status).toBe(
      403,
    );
    expect(
      (await service.ask('/api/session', { method: 'DELETE', headers: { Cookie: cookie, ...foreign } })).status,
    ).toBe(403);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/json; charset=latin1',
    '',
  ])('a POST of type "%s" is 415', async (type) => {
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': type };
    expect((await service.ask('/api/v1/chat/completions', { method: 'POST', headers, body: '{}' })).status).toBe(415);
  });
});

describe('methods', () => {
  it.each([
    [PROJECTS, 'GET, HEAD'],
    [`${PROJECTS}/${PROJECT_ID}`, 'GET, HEAD'],
    ['/api/v1/chat/completions', 'POST'],
    ['/api/session', 'GET, HEAD, POST, DELETE'],
    ['/healthz', 'GET, HEAD'],
    ['/', 'GET, HEAD'],
    ['/favicon.svg', 'GET, HEAD'],
  ])('%s takes %s only', async (path, allow) => {
    for (const method of ['PUT', 'PATCH', 'OPTIONS']) {
      const answer = await service.ask(path, {
        method,
        headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'GET' },
      });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe(allow);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('HEAD is GET without the body', async () => {
    const answer = await service.askSigned(`${PROJECTS}/${PROJECT_ID}`, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBeTruthy();
    expect(answer.body).toHaveLength(0);
  });
});

describe('how fast tokens may be guessed', () => {
  it('429 with Retry-After after ten wrong sign-ins; the right token gets in at any time', async () => {
    const limited = await openTestService();
    const headers = { 'Content-Type': 'application/json' };
    const signIn = (token: string): Promise<Answer> =>
      limited.ask('/api/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
    for (let count = 0; count < 10; count += 1) expect((await signIn('guess')).status).toBe(401);
    const held = await signIn('guess');
    expect(held.status).toBe(429);
    expect(Number(held.headers['retry-after'])).toBeGreaterThan(0);
    expect((await limited.ask('/?token=guess')).status).toBe(429);
    expect((await signIn(TOKEN)).status).toBe(204);
    expect((await limited.ask(`/?token=${TOKEN}`)).status).toBe(303);
    limited.advance(7_000);
    expect((await signIn('guess')).status).toBe(401);
    await limited.close();
  });

  it('bearer guesses are limited, too', async () => {
    const limited = await openTestService();
    const statuses = new Set<number>();
    for (let count = 0; count < 201; count += 1)
      statuses.add((await ask(limited.port, PROJECTS, { headers: wrong })).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await limited.askSigned(PROJECTS)).status).toBe(200);
    await limited.close();
  });
});
