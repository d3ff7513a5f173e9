import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openAuthentication, readCookies, type Authentication } from './authentication.ts';
import { HttpProblem } from './httpProblem.ts';

const TOKEN = 'correct-horse-battery-staple';

interface Opened {
  readonly authentication: Authentication;
  readonly advance: (ms: number) => void;
}

function open(token = TOKEN, { port = 4600, publicUrl = null as URL | null, ended = new Set<string>() } = {}): Opened {
  let time = 1_000_000;
  const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
  const now = (): number => time;
  const store = { has: (id: string) => ended.has(id), add: (id: string) => void ended.add(id) };
  const authentication = openAuthentication({ token, port, publicUrl, ended: store, now, random });
  return { authentication, advance: (ms) => void (time += ms) };
}

function incoming(headers: Record<string, string>, method = 'GET'): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.method = method;
  Object.assign(message.headers, { host: 'localhost:4600' }, headers);
  return message;
}

const cookieOf = (authentication: Authentication): string => authentication.startSession().split(';')[0] ?? '';

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
    expect(cookieOf(open(TOKEN, { port: 4600 }).authentication)).toMatch(/^studio_4600=/);
    expect(cookieOf(open(TOKEN, { port: 4601 }).authentication)).toMatch(/^studio_4601=/);
  });

  it.each([
    ['https://studio.example', '__Host-studio', true],
    ['https://studio.example:8443', '__Host-studio_8443', true],
    ['http://localhost:8080', 'studio_8080', false],
  ])('of %s is named %s, whatever the port the service listens on', (address, name, isSecure) => {
    const publicUrl = new URL(address);
    for (const port of [4600, 4601]) {
      const cookie = open(TOKEN, { port, publicUrl }).authentication.startSession();
      expect(cookie.startsWith(`${name}=`)).toBe(true);
      expect(cookie.includes('; Secure;')).toBe(isSecure);
    }
  });

  it('of each sign-in is another, and all hold after a restart and in other processes with the same token', () => {
    const first = open().authentication;
    const cookies = [cookieOf(first), cookieOf(first)];
    expect(cookies[0]).not.toBe(cookies[1]);
    for (const cookie of cookies) expect(statusOf(open().authentication, { cookie })).toBe(200);
  });

  it('runs out after 30 days, whatever the browser does', () => {
    const { authentication, advance } = open();
    const cookie = cookieOf(authentication);
    advance(30 * 24 * 3_600_000 - 1_000);
    expect(statusOf(authentication, { cookie })).toBe(200);
    advance(1_000);
    expect(statusOf(authentication, { cookie })).toBe(401);
  });

  it('can not be made longer, or for another session', () => {
    const { authentication } = open();
    const [name, id, end, signature] = cookieOf(authentication).split(/[=.]/);
    expect(statusOf(authentication, { cookie: `${name}=${id}.${end}.${signature}` })).toBe(200);
    expect(statusOf(authentication, { cookie: `${name}=${id}.${end}9.${signature}` })).toBe(401);
    const other = id?.replace(/^./, (first) => (first === '-' ? '_' : '-'));
    expect(statusOf(authentication, { cookie: `${name}=${other}.${end}.${signature}` })).toBe(401);
    expect(statusOf(authentication, { cookie: `${name}=${id}.${end}.${signature?.slice(1)}` })).toBe(401);
  });

  it('does not hold the token, neither plain nor encoded', () => {
    const cookie = open().authentication.startSession();
    expect(cookie).not.toContain(TOKEN);
    expect(cookie).not.toContain(Buffer.from(TOKEN).toString('base64url'));
  });

  it('is hidden from scripts and from other sites', () => {
    const { authentication } = open();
    const cookie = authentication.startSession();
    const noCookie = authentication.endSession(incoming({}));
    for (const value of [cookie, noCookie]) expect(value).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=/);
    expect(noCookie).toMatch(/^studio_4600=;.*Max-Age=0$/);
  });

  it('lets in; a cookie of another studio does not', () => {
    const { authentication } = open();
    expect(statusOf(authentication, { cookie: cookieOf(authentication) })).toBe(200);
    expect(statusOf(authentication, { cookie: cookieOf(open('other-token').authentication) })).toBe(401);
    expect(statusOf(authentication, { cookie: cookieOf(authentication).replace('studio_4600', 'studio_4601') })).toBe(
      401,
    );
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

  it.each([
    'Bearer',
    'Bearer  ',
    `Bearer ${TOKEN} x`,
    `Token ${TOKEN}`,
    TOKEN,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer "${TOKEN}"`,
  ])('"%s" is refused', (authorization) => {
    expect(statusOf(open().authentication, { authorization })).toBe(401);
  });

  it('is let in after any number of wrong ones; wrong ones are held back, and again answered later', () => {
    const { authentication, advance } = open();
    for (let count = 0; count < 200; count += 1)
      expect(statusOf(authentication, { authorization: 'Bearer x' })).toBe(401);
    expect(statusOf(authentication, { authorization: 'Bearer x' })).toBe(429);
    expect(statusOf(authentication, { authorization: `Bearer ${TOKEN}` })).toBe(200);
    advance(100);
    expect(statusOf(authentication, { authorization: 'Bearer x' })).toBe(401);
  });
});

describe('signing in', () => {
  it('tells right from wrong', () => {
    const { authentication } = open();
    expect(authentication.signIn(TOKEN)).toBe(true);
    for (const wrong of ['', TOKEN.slice(1), `${TOKEN} `, '\u0000', TOKEN.repeat(1000)])
      expect(authentication.signIn(wrong)).toBe(false);
  });

  it('right ones are never counted', () => {
    const { authentication } = open();
    for (let count = 0; count < 100; count += 1) expect(authentication.signIn(TOKEN)).toBe(true);
  });

  it('says how long to wait after too many', () => {
    const { authentication, advance } = open();
    for (let count = 0; count < 10; count += 1) authentication.signIn('wrong');
    const held = expect.objectContaining({ status: 429, headers: { 'Retry-After': '6' } }) as Error;
    expect(() => authentication.signIn('wrong')).toThrow(held);
    expect(authentication.signIn(TOKEN)).toBe(true);
    advance(6_000);
    expect(authentication.signIn('wrong')).toBe(false);
  });

  it('with a code works once, within five minutes', () => {
    const { authentication, advance } = open();
    const code = authentication.makeCode();
    expect(code).not.toContain(TOKEN);
    expect([authentication.signIn(code), authentication.signIn(code)]).toEqual([true, false]);
    const late = authentication.makeCode();
    advance(5 * 60_000);
    expect(authentication.signIn(late)).toBe(false);
    // A code is no bearer token.
    expect(statusOf(authentication, { authorization: `Bearer ${authentication.makeCode()}` })).toBe(401);
  });
});

describe('signing out', () => {
  it('ends that session in every process that shares the record, and no other session', () => {
    const ended = new Set<string>();
    const here = open(TOKEN, { ended }).authentication;
    const there = open(TOKEN, { ended }).authentication;
    const [first, second] = [cookieOf(here), cookieOf(here)];
    here.endSession(incoming({ cookie: first }));
    for (const authentication of [here, there, open(TOKEN, { ended }).authentication]) {
      expect(statusOf(authentication, { cookie: first })).toBe(401);
      expect(statusOf(authentication, { cookie: second })).toBe(200);
    }
  });

  it('keeps no record of cookies that are not its own', () => {
    const ended = new Set<string>();
    const { authentication } = open(TOKEN, { ended });
    const foreign = cookieOf(open('other-token').authentication);
    for (const cookie of ['', 'studio_4600=', 'studio_4600=../../etc/passwd', foreign])
      authentication.endSession(incoming({ cookie }));
    expect(ended.size).toBe(0);
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
