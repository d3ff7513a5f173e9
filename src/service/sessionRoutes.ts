// Signing in and out: the token is exchanged for a cookie, by the sign-in form or by the link printed at start.
import { isObject } from '../contract/reading';
import { ROUTES, type SessionInfo } from '../contract/routes';
import type { Authentication } from './authentication';
import { readJsonBody } from './body';
import { HttpProblem } from './problem';
import { sendJson, type Route, type RouteContext } from './route';
import { isForeign } from './sameOrigin';

export function toSessionRoutes(authentication: Authentication, info: SessionInfo): readonly Route[] {
  const path = ROUTES.session;
  return [
    { method: 'GET', path, handle: () => sendJson(info, 200, { 'Cache-Control': 'no-store' }) },
    {
      method: 'POST',
      path,
      isOpen: true,
      async handle(context) {
        if (isForeign(context.env.incoming.headers)) throw new HttpProblem(403, "Sign in on the studio's own page.", { code: 'cross_origin' });
        const body = await readJsonBody(context.env.incoming);
        const token = isObject(body) ? body['token'] : undefined;
        if (typeof token !== 'string') throw new HttpProblem(400, 'token is required and must be a text.', { param: 'token', code: 'invalid_request' });
        if (!authentication.signIn(token.trim())) {
          throw new HttpProblem(401, 'This is not the token of this studio. Use the one in the link that it printed at start.', { param: 'token', code: 'wrong_token', headers: { 'WWW-Authenticate': 'Bearer realm="Model Studio"' } });
        }
        return new Response(null, { status: 204, headers: { 'Set-Cookie': authentication.cookie, 'Cache-Control': 'no-store' } });
      },
    },
    {
      method: 'DELETE',
      path,
      handle: () => new Response(null, { status: 204, headers: { 'Set-Cookie': authentication.noCookie, 'Cache-Control': 'no-store' } }),
    },
  ];
}

/** The query without the parameters of a sign-in; everything else byte by byte as it was. */
function keepOthers(query: string): string[] {
  return query.split('&').filter((part) => part !== '' && !/^(?:token|signin)(?:=|$)/.test(part));
}

/** `GET /?token=T` -> a redirect to the same page without the token, so that it stays in no history; else null. */
export function redirectSignIn(context: RouteContext, authentication: Authentication): Response | null {
  const token = context.req.query('token');
  if (token === undefined) return null;
  const isAccepted = authentication.signIn(token);
  const query = (context.env.incoming.url ?? '').split('?').slice(1).join('?');
  const kept = [...keepOthers(query), ...(isAccepted ? [] : ['signin=rejected'])].join('&');
  const headers = new Headers({ Location: kept === '' ? '/' : `/?${kept}`, 'Cache-Control': 'no-store' });
  if (isAccepted) headers.set('Set-Cookie', authentication.cookie);
  return new Response(null, { status: 303, headers });
}
