// Listening and closing, and what is said when it does not work.
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { StartError } from '#service/database/startError.ts';
import { isOwnPath } from '#app/server/launch/devServer.ts';
import { toOpeningPage } from '#app/server/launch/openBrowser.ts';
import { sendIndex, sendNotice } from '#service/http/page.ts';
import { openServer, type HttpServer } from './server.ts';
import { ask, openTestService } from '#service/http/testService.fixture.ts';
import { atEnd, keep, listen } from '#service/files/keep.fixture.ts';

const random = (): string => 'fixed-request-id';

async function open(host = '127.0.0.1', port = 0): Promise<HttpServer> {
  const http = await openServer({ host, port, random });
  atEnd(() => http.close(0));
  return http;
}

describe('openServer', () => {
  it('listens at once and says that it is starting', async () => {
    const http = await open();
    const answer = await ask(http.port, '/api/v1/models');
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['x-request-id']).toBe('fixed-request-id');
    expect(answer.json()).toMatchObject({ error: { code: 'starting' } });
  });

  it('shows a browser a page that asks again until the studio has started', async () => {
    const answer = await ask((await open()).port, '/project/1', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(answer.status).toBe(503);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toBeDefined();
    expect(answer.text).toMatch(/http-equiv="refresh" content="1".*The studio is starting/);
  });

  it('a foreign host is refused while it starts, too', async () => {
    expect((await ask((await open()).port, '/', { headers: { Host: 'evil.example' } })).status).toBe(403);
  });

  it('gives the address to open', async () => {
    const http = await open();
    expect(http.origin).toBe(`http://127.0.0.1:${http.port}`);
    const any = await open('0.0.0.0');
    expect(any.origin).toBe(`http://127.0.0.1:${any.port}`);
    const named = await open('localhost');
    expect(named.origin).toBe(`http://localhost:${named.port}`);
  });

  it('says that a port is in use, and what to do', async () => {
    const other = createServer();
    const port = Number(new URL(await listen(other)).port);
    const error = await openServer({ host: '127.0.0.1', port, random }).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(new RegExp(`${port} is already in use.*--port`));
  });

  it.each([
    ['203.0.113.7', /no address 203\.0\.113\.7.*--host/],
    ['no-such-host.invalid', /no-such-host\.invalid/],
  ])('says that %s can not be listened on', async (host, message) => {
    await expect(openServer({ host, port: 0, random })).rejects.toThrow(message);
  });
});

describe('a long address', () => {
  it('of 60 KiB is a page like any other, and one beyond 64 KiB a clear refusal', async () => {
    const service = await keep(openTestService());
    expect((await service.ask(`/?compare=${'x'.repeat(60 * 1024)}`)).status).toBe(200);
    const refused = await service.ask(`/?compare=${'x'.repeat(65 * 1024)}`);
    expect(refused.status).toBe(431);
    expect(refused.json()).toMatchObject({ error: { code: 'bad_http' } });
  });
});

/** A grace longer than any test may take: a close that waits for it fails. */
const NEVER_MS = 600_000;

describe('closing', () => {
  it('does not wait for idle connections', async () => {
    const http = await open();
    const agent = new Agent({ keepAlive: true });
    atEnd(() => agent.destroy());
    await new Promise<void>((resolve) => {
      get({ port: http.port, host: '127.0.0.1', path: '/healthz', agent }, (response) =>
        response.resume().on('end', resolve),
      );
    });
    // Resolves while the agent is still open.
    await http.close(NEVER_MS);
    expect(http.server.listening).toBe(false);
  });

  it('does not wait for a connection whose last answer ends while it closes', async () => {
    const http = await open();
    const agent = new Agent({ keepAlive: true });
    atEnd(() => agent.destroy());
    let finish = (): void => undefined;
    http.server.removeAllListeners('request').on('request', (_, outgoing: ServerResponse) => {
      outgoing.writeHead(200).flushHeaders();
      finish = () => outgoing.end('last words');
    });
    const response = await new Promise<IncomingMessage>(
      (resolve) => void get({ port: http.port, host: '127.0.0.1', agent }, resolve),
    );
    const closed = http.close(NEVER_MS);
    // The reader may learn of the end a moment after the server.
    const read = once(response.resume(), 'close');
    finish();
    await Promise.all([closed, read]);
    expect(response.complete).toBe(true);
  });

  it('cuts what does not end within its grace', async () => {
    const service = await openTestService();
    const broken = service.post('/api/v1/chat/completions', {
      model: 'stalls',
      stream: true,
      messages: [{ role: 'user', content: 'x' }],
    });
    broken.catch(() => undefined);
    const head = new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (service.streams.count === 0) return;
        clearInterval(timer);
        resolve();
      }, 1);
    });
    await head;
    await service.close();
    await expect(broken).rejects.toThrow();
  });
});

describe('pages', () => {
  it('a nonce goes into every place', async () => {
    const html = '<meta nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__">';
    const answer = sendIndex(html, { nonce: 'n0nce', isSignedIn: true });
    expect(await answer.text()).toBe('<meta nonce="n0nce"><script nonce="n0nce">');
    expect(answer.headers.get('content-security-policy')).toContain("style-src 'self' 'nonce-n0nce'");
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('show the frame of the studio to signed-in visitors only', async () => {
    const html = '<div id="root"><!-- frame: a studio --><b>Tree</b><!-- /frame --></div>';
    expect(await sendIndex(html, { nonce: 'n', isSignedIn: true }).text()).toContain('<b>Tree</b>');
    expect(await sendIndex(html, { nonce: 'n', isSignedIn: false }).text()).toBe('<div id="root"></div>');
  });

  it('a notice has all that it shows from this origin, and a way home', async () => {
    const answer = sendNotice(404, 'Not here', 'There is no such page.');
    expect(answer.status).toBe(404);
    const html = await answer.text();
    expect(answer.headers.get('content-security-policy')).toContain("style-src 'self';");
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1])).toEqual([
      '/favicon.svg',
      '/notice.css',
      '/theme.js',
      '/favicon.svg',
      '/',
      '/reference',
    ]);
    expect(html).toContain('There is no such page.');
    expect(html).not.toMatch(/<style|style=|<script>/);
  });

  it('the page that opens the browser goes on to the link and tells no referrer', () => {
    const html = toOpeningPage('http://127.0.0.1:4600/?token=abc');
    expect(html).toContain('content="0;url=http://127.0.0.1:4600/?token=abc"');
    expect(html).toContain('no-referrer');
  });
});

describe('in development', () => {
  it.each([
    '/',
    '/?project=1',
    '/api',
    '/api/v1/models',
    '/api/session?x=1',
    '/healthz',
    '/reference',
    '/reference/swagger-ui.css',
  ])("%s is the service's own", (url) => {
    expect(isOwnPath(url)).toBe(true);
  });

  it.each([
    '/src/app/web/main.tsx',
    '/@vite/client',
    '/favicon.svg',
    '/apis',
    '/reference.js',
    '/node_modules/.vite/deps/react.js?v=1',
  ])("%s is the bundler's", (url) => {
    expect(isOwnPath(url)).toBe(false);
  });
});
