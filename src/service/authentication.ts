// The one authentication path: a bearer token, or the cookie that a sign-in gave (SPEC 5).
// The cookie's value is derived from the token, so that a leaked cookie does not give the token away.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { openAttemptLimit, type AttemptLimit } from './attemptLimit';
import { HttpProblem } from './problem';
import { isForeign, isSafeMethod, isSameOrigin } from './sameOrigin';

export interface Authentication {
  /** Throws HttpProblem 401, 403 (cookie used from another site) or 429. */
  check(incoming: IncomingMessage): void;
  /** True for the right token; false counts as a failed attempt. Throws HttpProblem 429 when there were too many. */
  signIn(token: string): boolean;
  /** The Set-Cookie values of a sign-in and of a sign-out. */
  readonly cookie: string;
  readonly noCookie: string;
}

const THIRTY_DAYS = 30 * 24 * 3600;

/** A check against one secret in constant time, whatever the lengths: digests are compared. */
function toCheck(secret: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(secret);
  return (given) => timingSafeEqual(digest(given), wanted);
}

/** Every value of the cookie `name`: programs on other ports of this machine may have set one of the same name. */
export function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}

function toBearer(header: string): string | null {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null;
}

function holdBack(limit: AttemptLimit, now: number): void {
  const wait = limit.waitFor(now);
  if (wait === 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw new HttpProblem(429, `Too many wrong tokens. Wait ${seconds} s and try again.`, {
    code: 'too_many_attempts',
    headers: { 'Retry-After': String(seconds) },
  });
}

const unauthenticated = (message: string, code: string): HttpProblem =>
  new HttpProblem(401, message, { code, headers: { 'WWW-Authenticate': 'Bearer realm="Model Studio"' } });

export function openAuthentication(options: {
  readonly token: string;
  /** Part of the cookie's name: studios on several ports of one machine share a cookie jar. */
  readonly port: number;
  readonly now: () => number;
}): Authentication {
  const { token, now } = options;
  const name = `studio_${options.port}`;
  const session = createHmac('sha256', token).update('model-studio session v1').digest('base64url');
  const isToken = toCheck(token);
  const isSession = toCheck(session);
  const attributes = 'Path=/; HttpOnly; SameSite=Strict';
  // A person mistypes now and then; a script with a stale token asks often and must not lock people out at once.
  const signIns = openAttemptLimit(10, 6_000);
  const bearers = openAttemptLimit(200, 50);
  return {
    cookie: `${name}=${session}; ${attributes}; Max-Age=${THIRTY_DAYS}`,
    noCookie: `${name}=; ${attributes}; Max-Age=0`,
    signIn(given) {
      holdBack(signIns, now());
      if (isToken(given)) return true;
      signIns.fail(now());
      return false;
    },
    check(incoming) {
      const header = incoming.headers.authorization;
      if (header !== undefined) {
        holdBack(bearers, now());
        const given = toBearer(header);
        if (given !== null && isToken(given)) return;
        bearers.fail(now());
        throw unauthenticated('The bearer token is not the one of this studio. Use the token of the link that it printed at start.', 'wrong_token');
      }
      const given = readCookies(incoming.headers.cookie, name);
      if (!given.some(isSession)) {
        throw unauthenticated('This needs the studio\'s token: open the link that it printed at start, or send "Authorization: Bearer <token>".', 'no_token');
      }
      const isAllowed = isSafeMethod(incoming.method) ? !isForeign(incoming.headers) : isSameOrigin(incoming.headers);
      if (!isAllowed) {
        throw new HttpProblem(403, 'This request came from another site. Use the studio\'s own page, or a bearer token.', { code: 'cross_origin' });
      }
    },
  };
}
