// Signing in and out: the sign-in form and the link printed at start exchange the token for a cookie.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isObject } from '#core/contract/readJson.ts';
import type { SessionInfo, StudioFacts } from '#core/contract/sessionInfo.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import type { Access } from './authorization.ts';
import { WHERE_THE_TOKEN_IS, type Authentication } from '#service/http/authentication.ts';
import { readJsonBody } from '#service/http/body.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { sendJson, whoOf, type Route, type RouteContext } from '#service/http/route.ts';
import { isPageRequest } from '#service/http/sameOrigin.ts';

/** How long the few bytes of a sign-in may take. Anybody can start one. */
const SIGN_IN_MS = 10_000;

const sendCookie = (cookie: string): Response =>
  new Response(null, { status: 204, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } });

export interface SessionDeps {
  readonly authentication: Authentication;
  readonly access: Access;
  readonly session: () => Promise<StudioFacts>;
}

function toRights(context: RouteContext): SessionInfo['rights'] {
  if (whoOf(context) === null) return 'own';
  return context.get('isReadOnly') === true ? 'read' : 'write';
}

export function toSessionRoutes({ authentication, access, session }: SessionDeps): readonly Route[] {
  return [
    toRoute(STUDIO.getSession, async ({ context }) => {
      const info: SessionInfo = { ...(await session()), who: whoOf(context), rights: toRights(context) };
      return sendJson(info, 200, { 'Cache-Control': 'no-store' });
    }),
    toRoute(STUDIO.signIn, async ({ context }) => {
      const { incoming } = context.env;
      if (authentication.isForeign(incoming.headers)) {
        throw new HttpProblem(403, "Sign in on the studio's own page.", { code: 'cross_origin' });
      }
      const body = await readJsonBody(incoming, REQUEST_LIMITS.signInBytes, { maxMs: SIGN_IN_MS });
      const token = isObject(body) ? body['token'] : undefined;
      if (typeof token !== 'string') {
        const detail = { param: 'token', code: 'invalid_request' };
        throw new HttpProblem(400, 'token is required and must be a text.', detail);
      }
      const cookie = await access.signIn(token.trim());
      if (cookie === null) {
        throw new HttpProblem(401, `This is not the token of this studio. ${WHERE_THE_TOKEN_IS}`, {
          param: 'token',
          code: 'wrong_token',
          headers: { 'WWW-Authenticate': 'Bearer realm="Model Studio"' },
        });
      }
      return sendCookie(cookie);
    }),
    toRoute(STUDIO.signOut, async ({ context }) => sendCookie(authentication.endSession(context.env.incoming))),
  ];
}

/** The parts of a query without those of a sign-in; all others unchanged, byte by byte. */
function withoutSignIn(query: string): string[] {
  return query.split('&').filter((part) => part !== '' && !/^(?:token|signin)(?:=|$)/.test(part));
}

/**
 * `GET /?token=T` -> a redirect to the same page without the token, so that no history keeps it; otherwise null.
 * Only a page that a person opens counts, so images and frames of other sites do nothing. A page opened from elsewhere
 * (a link in a chat, the file that --open wrote) may sign in, but its wrong tokens are not counted.
 */
export async function redirectSignIn(
  context: RouteContext,
  { authentication, access }: Pick<SessionDeps, 'authentication' | 'access'>,
): Promise<Response | null> {
  const { incoming } = context.env;
  const token = context.req.query('token');
  if (token === undefined || !isPageRequest(incoming.headers)) return null;
  const isForeign = authentication.isForeign(incoming.headers);
  const cookie = await (isForeign ? access.signInForeign(token) : access.signIn(token));
  const isAccepted = cookie !== null;
  const query = (incoming.url ?? '').split('?').slice(1).join('?');
  const remaining = [...withoutSignIn(query), ...(isAccepted ? [] : ['signin=rejected'])].join('&');
  const headers = new Headers({ Location: remaining === '' ? '/' : `/?${remaining}`, 'Cache-Control': 'no-store' });
  if (isAccepted) headers.set('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}
