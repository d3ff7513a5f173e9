import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openAuthentication, readCookies, type Authentication } from './authentication';
import { HttpProblem } from './problem';

const TOKEN = 'correct-horse-battery-staple';

function open(token = TOKEN, port = 4600): { authentication: Authentication; advance: (ms: number) => void } {
  let time = 1_000_000;
  return { authentication: openAuthentication({ token, port, now: () => time }), advance: (ms) => void (time += ms) };
}

function incoming(headers: Record<string, string>, method = 'GET'): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.method = method;
  Object.assign(message.headers, { host: 'localhost:4600' }, headers);
  return message;
}

const cookieOf = (authentication: Authentication): string => authentication.cookie.split(';')[0] ?? '';

/** The status that a check throws; 200 when it lets the request through. */
function statusOf(authentication: Authentication, headers: Record<string, string>, method?: string): number {
  try {
    authentication.check(incoming(headers, method));
    return 200;
  } catch (error) {
    if (error instanceof HttpProblem) return error.status;
    throw error;
  }
}

describe('the cookie', () => {
  it('is named after the port, so that studios on one machine do not sign each other out', () => {
    expect(cookieOf(open(TOKEN, 4600).authentication)).toMatch(/^studio_4600=/);
    expect(cookieOf(open(TOKEN, 4601).authentication)).toMatch(/^studio_4601=/);
  });

  it('is the same after a restart with the same token, and another for another token', () => {
    expect(cookieOf(open().authentication)).toBe(cookieOf(open().authentication));
    expect(cookieOf(open('other-token').authentication)).not.toBe(cookieOf(open().authentication));
  });

  it('does not hold the token, neither plain nor encoded', () => {
    const { cookie } = open().authentication;
    expect(cookie).not.toContain(TOKEN);
    expect(cookie).not.toContain(Buffer.from(TOKEN).toString('base64url'));
  });

  it('is hidden from scripts and from other sites', () => {
    const { cookie, noCookie } = open().authentication;
    for (const value of [cookie, noCookie]) expect(value).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=/);
    expect(noCookie).toMatch(/^studio_4600=;.*Max-Age=0$/);
  });

  it('lets in; a cookie of another studio does not', () => {
    const { authentication } = open();
    expect(statusOf(authentication, { cookie: cookieOf(authentication) })).toBe(200);
    expect(statusOf(authentication, { cookie: cookieOf(open('other-token').authentication) })).toBe(401);
    expect(statusOf(authentication, { cookie: cookieOf(authentication).replace('studio_4600', 'studio_4601') })).toBe(401);
    expect(statusOf(authentication, { cookie: `x${cookieOf(authentication)}` })).toBe(401);
  });

  it('changes nothing without a page that vouches for it', () => {
    const { authentication } = open();
    const cookie = cookieOf(authentication);
    expect(statusOf(authentication, { cookie }, 'POST')).toBe(403);
    expect(statusOf(authentication, { cookie, origin: 'http://localhost:4600' }, 'POST')).toBe(200);
    expect(statusOf(authentication, { cookie, origin: 'http://evil.example' }, 'DELETE')).toBe(403);
    expect(statusOf(authentication, { cookie, 'sec-fetch-site': 'cross-site' }, 'GET')).toBe(403);
  });
});

describe('the bearer token', () => {
  it('needs no page: scripts have it, other sites do not', () => {
    expect(statusOf(open().authentication, { authorization: `Bearer ${TOKEN}` }, 'POST')).toBe(200);
  });

  it.each(['Bearer', 'Bearer  ', `Bearer ${TOKEN} x`, `Token ${TOKEN}`, TOKEN, `Bearer ${TOKEN.toUpperCase()}`, `Bearer "${TOKEN}"`])('"%s" is refused', (authorization) => {
    expect(statusOf(open().authentication, { authorization })).toBe(401);
  });

  it('is held back after many wrong ones, and again let through later', () => {
    const { authentication, advance } = open();
    for (let count = 0; count < 200; count += 1) expect(statusOf(authentication, { authorization: 'Bearer x' })).toBe(401);
    expect(statusOf(authentication, { authorization: `Bearer ${TOKEN}` })).toBe(429);
    expect(statusOf(authentication, { cookie: cookieOf(authentication) })).toBe(200);
    advance(100);
    expect(statusOf(authentication, { authorization: `Bearer ${TOKEN}` })).toBe(200);
  });
});

describe('signing in', () => {
  it('tells right from wrong', () => {
    const { authentication } = open();
    expect(authentication.signIn(TOKEN)).toBe(true);
    for (const wrong of ['', TOKEN.slice(1), `${TOKEN} `, '\u0000', TOKEN.repeat(1000)]) expect(authentication.signIn(wrong)).toBe(false);
  });

  it('right ones are never counted', () => {
    const { authentication } = open();
    for (let count = 0; count < 100; count += 1) expect(authentication.signIn(TOKEN)).toBe(true);
  });

  it('says how long to wait after too many', () => {
    const { authentication, advance } = open();
    for (let count = 0; count < 10; count += 1) authentication.signIn('wrong');
    expect(() => authentication.signIn(TOKEN)).toThrow(expect.objectContaining({ status: 429, headers: { 'Retry-After': '6' } }) as Error);
    advance(6_000);
    expect(authentication.signIn(TOKEN)).toBe(true);
  });
});

describe('readCookies', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['a=1', ['1']],
    ['b=2; a=1; a=3', ['1', '3']],
    ['a', []],
    ['aa=1;ba=2', []],
    ['a=x=y', ['x=y']],
    ['__proto__=1', []],
  ])('%j', (header, values) => {
    expect(readCookies(header, 'a')).toEqual(values);
  });
});
