// Signing in by form and by link, signing out, and the pages and files that an unsigned visitor gets.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openTestService, SCRIPT, TOKEN, type Answer } from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());

const signIn = (body: unknown): Promise<Answer> =>
  service.ask('/api/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const cookieOf = (answer: Answer): string => answer.headers['set-cookie']?.[0] ?? '';

describe('signing in', () => {
  it('gives a cookie that scripts and other sites do not get, and that is not the token', async () => {
    const answer = await signIn({ token: ` ${TOKEN}\n` });
    expect(answer.status).toBe(204);
    const cookie = cookieOf(answer);
    expect(cookie).toMatch(
      new RegExp(`^studio_${service.port}=[\\w.-]{60,90}; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`),
    );
    expect(cookie).not.toContain(TOKEN);
  });

  it.each([
    [{ token: 'wrong' }, 401],
    [{}, 400],
    [{ token: 7 }, 400],
    [[], 400],
    [null, 400],
    ['x', 400],
  ])('%j is %i', async (body, status) => {
    const answer = await signIn(body);
    expect(answer.status).toBe(status);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.json()).toMatchObject({ error: { param: 'token' } });
  });

  it('signing out takes the cookie away, and the cookie is worth nothing afterwards', async () => {
    const cookie = cookieOf(await signIn({ token: TOKEN })).split(';')[0] ?? '';
    const answer = await service.ask('/api/session', {
      method: 'DELETE',
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(answer.status).toBe(204);
    expect(cookieOf(answer)).toMatch(/=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    expect((await service.ask('/api/session', { headers: { Cookie: cookie } })).status).toBe(401);
  });

  it('a sign-out that can not be stored says so, and still takes the cookie away', async () => {
    const add = (): void => {
      throw new Error('ENOSPC: no space left on device');
    };
    const full = await openTestService({ ended: { has: () => false, add } });
    const first = await full.ask(`/?token=${TOKEN}`);
    const cookie = cookieOf(first).split(';')[0] ?? '';
    const answer = await full.ask('/api/session', {
      method: 'DELETE',
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({ error: { code: 'sign_out_not_stored' } });
    expect(cookieOf(answer)).toContain('Max-Age=0');
    await full.close();
  });

  it('a sign-in of more than 4 KiB is refused before it is read', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '4097' };
    const answer = await service.ask('/api/session', {
      method: 'POST',
      headers,
      body: JSON.stringify({ token: 'x'.repeat(4085) }),
    });
    expect(answer.status).toBe(413);
    expect((await signIn({ token: 'x'.repeat(4084) })).status).toBe(401);
  });
});

describe('the link that is printed at start', () => {
  it.each([
    [`/?token=${TOKEN}`, '/'],
    [`/?project=a%2Cb&token=${TOKEN}&models=x%2Fy,z`, '/?project=a%2Cb&models=x%2Fy,z'],
    [`/?token=${TOKEN}&signin=rejected`, '/'],
    [`/?tokenizer=1&token=${TOKEN}`, '/?tokenizer=1'],
  ])('%s goes on to %s, signed in', async (path, location) => {
    const answer = await service.ask(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe(location);
    expect(cookieOf(answer)).toContain('HttpOnly');
    expect(answer.headers['cache-control']).toBe('no-store');
    const name = cookieOf(answer).split(';')[0] ?? '';
    expect((await service.ask('/api/session', { headers: { Cookie: name } })).status).toBe(200);
  });

  it.each([
    ['/?token=wrong', '/?signin=rejected'],
    ['/?token=', '/?signin=rejected'],
    ['/?node=1&token=wrong', '/?node=1&signin=rejected'],
  ])('%s goes on to %s', async (path, location) => {
    const answer = await service.ask(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe(location);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
  const frame = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' };
  const fetched = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
  it.each([
    ['an image', image],
    ['a frame', frame],
    ['a script', fetched],
  ])('signs nobody in when %s loads it', async (_, headers) => {
    const answer = await service.ask(`/?token=${TOKEN}`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each(['none', 'same-origin', 'cross-site'])('signs in when a page of site "%s" leads to it', async (site) => {
    const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    expect(cookieOf(await service.ask(`/?token=${TOKEN}`, { headers }))).toContain('HttpOnly');
  });

  it("wrong ones that another site opens or loads use up nobody's attempts", async () => {
    const other = await openTestService();
    const opened = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    for (let count = 0; count < 30; count += 1) {
      await other.ask('/?token=x', { headers: image });
      expect((await other.ask('/?token=x', { headers: opened })).headers.location).toBe('/?signin=rejected');
    }
    // A person who mistypes is still told that, not to wait.
    expect((await other.ask('/?token=x')).headers.location).toBe('/?signin=rejected');
    await other.close();
  });

  it('is not a way to another site', async () => {
    const answer = await service.ask(`/?token=${TOKEN}&//evil.example`);
    expect(answer.headers.location?.startsWith('/?')).toBe(true);
  });
});

describe('pages and files', () => {
  it('each page has a nonce of its own, in the policy and in the page, and is kept nowhere', async () => {
    const pages = await Promise.all([service.ask('/'), service.ask('/?project=1')]);
    const nonces = pages.map(({ headers, text }) => {
      const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy']))?.[1];
      expect(nonce).toBeTruthy();
      expect(text).toContain(`nonce="${nonce}"`);
      expect(text).not.toContain('__CSP_NONCE__');
      expect(headers['cache-control']).toBe('no-store');
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(String(pages[0]?.headers['content-security-policy'])).toContain("script-src 'self';");
  });

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ])('Accept-Encoding: %s', async (accept, encoding, decode) => {
    const answer = await service.ask('/assets/index-1a2b.js', { headers: { 'Accept-Encoding': accept } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['vary']).toBe('Accept-Encoding');
    expect(decode(answer.body).toString()).toBe(SCRIPT);
  });

  it.each([undefined, 'identity', 'gzip;q=0', 'deflate'])('Accept-Encoding: %s gives plain bytes', async (accept) => {
    const answer = await service.ask('/assets/index-1a2b.js', {
      headers: accept === undefined ? {} : { 'Accept-Encoding': accept },
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.text).toBe(SCRIPT);
  });

  it('hashed files are kept for ever, others are asked for again', async () => {
    expect((await service.ask('/assets/index-1a2b.js')).headers['cache-control']).toContain('immutable');
    const icon = await service.ask('/favicon.svg');
    expect(icon.headers['cache-control']).toBe('no-cache');
    expect(
      (await service.ask('/favicon.svg', { headers: { 'If-None-Match': String(icon.headers['etag']) } })).status,
    ).toBe(304);
  });

  it.each([
    '/index.html',
    '/nothing',
    '/assets/',
    '/assets/../index.html',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cpackage.json',
    '//etc/passwd',
    '/.build-hash',
    '/assets/index-1a2b.js.br',
    '/package.json',
    '/src/app/server/launch/main.ts',
    '/favicon.svg%00.js',
    '/favicon.svg/',
  ])('%s is not there', async (path) => {
    const answer = await service.ask(path);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toMatch(/root:|"dependencies"/);
  });

  it('a person gets a page that says so, a script gets the envelope; neither repeats the path', async () => {
    const page = await service.ask('/<script>alert(1)</script>', { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(404);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).not.toContain('alert(1)');
    expect((await service.ask('/nothing')).json()).toMatchObject({ error: { code: 'not_found' } });
  });

  it('the reference loads its own files only, under the same policy', async () => {
    const page = await service.ask('/reference');
    expect(page.text).not.toMatch(/<script>|<style|style=|https?:/);
    for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
      const file = await service.ask(`/reference/${name}`, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(file.status).toBe(200);
      expect(gunzipSync(file.body).length).toBeGreaterThan(10_000);
    }
    expect((await service.ask('/reference/index.html')).status).toBe(404);
  });
});
