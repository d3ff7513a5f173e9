// The one authentication path: a bearer token, or the cookie of a sign-in (SPEC 5).
// The right token is checked before failures are counted, so other people's failures never lock its owner out.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { openAttemptLimit, type AttemptLimit } from './attemptLimit.ts';
import { toBearerCaller, toSessionCaller } from './caller.ts';
import type { EndedSessions } from './endedSessions.ts';
import { openOpeningCodes } from './openingCodes.ts';
import { HttpProblem } from './httpProblem.ts';
import { isForeign, isSafeMethod, isSameOrigin } from './sameOrigin.ts';
import { openSessions, SESSION_SECONDS } from './sessions.ts';

export interface Authentication {
  /**
   * Returns the caller's key (caller.ts). Throws HttpProblem 401, 403 (cookie sent from another site) or 429 (one more
   * wrong token after too many).
   */
  check(incoming: IncomingMessage): string;
  /** True for the right token or code. Counts a wrong one; throws HttpProblem 429 after too many. */
  signIn(token: string): boolean;
  /** The same without counting, for a token that another site may have sent. */
  isAccepted(token: string): boolean;
  /** A code that signs in once, in place of the token. */
  makeCode(): string;
  /** Starts a session, of a named token with its hash. Returns its Set-Cookie. */
  startSession(tokenHash?: string): string;
  /** Ends the session of this request's cookie. Returns the Set-Cookie that removes it. Throws HttpProblem 500. */
  endSession(incoming: IncomingMessage): string;
  /** True when a header says that another site sent the request. */
  isForeign(headers: IncomingHttpHeaders): boolean;
}

/** An operator who set the token knows it; otherwise the printed link contains it. */
export const WHERE_THE_TOKEN_IS =
  'It is in the link that the studio printed at start, or in the STUDIO_TOKEN of whoever started it.';

/** Compares with one secret in constant time. Comparing digests hides the length too. */
function toCheck(secret: string): (candidate: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (candidate) => timingSafeEqual(digest(candidate), expected);
}

/** Every value of the cookie `name`: programs on other ports of this machine may have set the same name. */
export function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}

/** The token of an Authorization header; null for another kind of header. */
export function toBearer(header: string): string | null {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null;
}

function checkLimit(limit: AttemptLimit, now: number): void {
  const wait = limit.waitFor(now);
  if (wait === 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw new HttpProblem(429, `Too many wrong tokens. Wait ${seconds} s and try again.`, {
    code: 'too_many_attempts',
    headers: { 'Retry-After': String(seconds) },
  });
}

export const unauthenticated = (message: string, code: string): HttpProblem =>
  new HttpProblem(401, message, { code, headers: { 'WWW-Authenticate': 'Bearer realm="Model Studio"' } });

/**
 * Studios on several ports of one machine share a cookie jar, so the name contains the port (the public one, if there
 * is a public URL). `__Host-` keeps other hosts of the same domain from setting the cookie.
 */
function toCookieName(publicUrl: URL | null, port: number): string {
  if (publicUrl === null) return `studio_${port}`;
  const name = publicUrl.port === '' ? 'studio' : `studio_${publicUrl.port}`;
  return publicUrl.protocol === 'https:' ? `__Host-${name}` : name;
}

export function openAuthentication(options: {
  readonly token: string;
  readonly port: number;
  /** The address that people open; null: the one it listens on. */
  readonly publicUrl: URL | null;
  readonly ended: EndedSessions;
  readonly now: () => number;
  readonly random: (bytes: number) => string;
}): Authentication {
  const { token, port, publicUrl, now, random } = options;
  const name = toCookieName(publicUrl, port);
  const isToken = toCheck(token);
  const sessions = openSessions(options);
  const codes = openOpeningCodes(now, random);
  const attributes = `Path=/; HttpOnly; SameSite=Strict${publicUrl?.protocol === 'https:' ? '; Secure' : ''}`;
  // A person mistypes now and then. A script with a stale token retries often and must not get 429 at once.
  const signIns = openAttemptLimit(10, 6_000);
  const bearers = openAttemptLimit(200, 50);
  const isAccepted = (candidate: string): boolean => isToken(candidate) || codes.take(candidate);
  return {
    isAccepted,
    signIn(candidate) {
      if (isAccepted(candidate)) return true;
      checkLimit(signIns, now());
      signIns.fail(now());
      return false;
    },
    makeCode: () => codes.make(),
    startSession: (tokenHash = '') =>
      `${name}=${sessions.create(tokenHash)}; ${attributes}; Max-Age=${SESSION_SECONDS}`,
    endSession(incoming) {
      const noCookie = `${name}=; ${attributes}; Max-Age=0`;
      try {
        for (const value of readCookies(incoming.headers.cookie, name)) sessions.end(value);
      } catch {
        const message =
          'You are signed out of this browser, but the data folder took no record of it: ' +
          'a copy of the old cookie works again after a restart. Free space there, or start the studio with ' +
          'another token.';
        throw new HttpProblem(500, message, { code: 'sign_out_not_stored', headers: { 'Set-Cookie': noCookie } });
      }
      return noCookie;
    },
    isForeign: (headers) => isForeign(headers, publicUrl),
    check(incoming) {
      const header = incoming.headers.authorization;
      if (header !== undefined) {
        const bearer = toBearer(header);
        if (bearer !== null && isToken(bearer)) return toBearerCaller(incoming, publicUrl !== null);
        checkLimit(bearers, now());
        bearers.fail(now());
        throw unauthenticated(`The bearer token is not the one of this studio. ${WHERE_THE_TOKEN_IS}`, 'wrong_token');
      }
      const session = readCookies(incoming.headers.cookie, name)
        .map((value) => sessions.findId(value))
        .find((id) => id !== null);
      if (session === undefined || session === null) {
        throw unauthenticated(
          `This needs the studio's token: sign in, or send "Authorization: Bearer <token>". ${WHERE_THE_TOKEN_IS}`,
          'no_token',
        );
      }
      const { method, headers } = incoming;
      const isAllowed = isSafeMethod(method) ? !isForeign(headers, publicUrl) : isSameOrigin(headers, publicUrl);
      if (!isAllowed) {
        const message = "This request came from another site. Use the studio's own page, or a bearer token.";
        throw new HttpProblem(403, message, { code: 'cross_origin' });
      }
      return toSessionCaller(session);
    },
  };
}
