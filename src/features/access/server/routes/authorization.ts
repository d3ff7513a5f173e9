// Who asks, and what they may do: the owner with the studio's own token, or the holder of a named token, by a header or by
// a session that began with it.
import type { IncomingMessage } from 'node:http';
import { toTokenHash, type TokenStore } from '#features/access/server/tokens.ts';
import { toBearer, unauthenticated, type Authentication } from '#service/http/authentication.ts';
import { toTokenCaller, toTokenKey } from '#service/http/caller.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { Route } from '#service/http/route.ts';

export interface Visitor {
  /** The caller's key for fair turns (caller.ts). */
  readonly caller: string;
  /** The name of the token; null: the owner. */
  readonly name: string | null;
  readonly isReadOnly: boolean;
  /** The hash of the named token; null: the owner. */
  readonly token: string | null;
  /** The only experiment that the token is for; null: any. */
  readonly run: string | null;
}

export interface Access {
  /** Throws HttpProblem 401, 403 or 429, as Authentication does; DatabaseUnavailable for a named token. */
  identify(incoming: IncomingMessage): Promise<Visitor>;
  /** Whether a named token has not been revoked. Throws DatabaseUnavailable. */
  isGood(token: string): Promise<boolean>;
  /** The Set-Cookie of a new session; null for a wrong token. Throws HttpProblem 429. */
  signIn(token: string): Promise<string | null>;
  /** The same without counting, for a token that another site may have sent. */
  signInForeign(token: string): Promise<string | null>;
}

export function openAccess(authentication: Authentication, tokens: TokenStore): Access {
  /** The hash of a named token that is good now; null for any other text. */
  const findHash = async (token: string): Promise<string | null> => {
    const hash = toTokenHash(token);
    const found = hash === null ? null : await tokens.find(hash);
    return found && found.run === undefined ? hash : null;
  };
  const toSignIn =
    (isOwner: (token: string) => boolean) =>
    async (token: string): Promise<string | null> => {
      const hash = await findHash(token);
      if (hash !== null) return authentication.startSession(hash);
      return isOwner(token) ? authentication.startSession() : null;
    };
  return {
    async identify(incoming) {
      const bearer = toBearer(incoming.headers.authorization ?? '');
      const hash = bearer === null ? null : toTokenHash(bearer);
      const named = hash === null ? null : await tokens.find(hash);
      if (named)
        return {
          caller: toTokenCaller(named.name),
          name: named.name,
          isReadOnly: named.isReadOnly,
          token: hash,
          run: named.run ?? null,
        };
      const caller = authentication.check(incoming);
      const key = toTokenKey(caller);
      if (key === null) return { caller, name: null, isReadOnly: false, token: null, run: null };
      const token = await tokens.find(key);
      if (!token)
        throw unauthenticated('The token that this session began with was revoked. Sign in with another.', 'no_token');
      return { caller, name: token.name, isReadOnly: token.isReadOnly, token: key, run: null };
    },
    isGood: async (token) => (await tokens.find(token)) !== null,
    signIn: toSignIn((token) => authentication.signIn(token)),
    signInForeign: toSignIn((token) => authentication.isAccepted(token)),
  };
}

/** Whose reads count together: all sessions of a named token, which may begin as many as it likes, are one reader. */
export const toReader = ({ caller, name }: Visitor): string => (name === null ? caller : toTokenCaller(name));

/** Whether a request to the route changes what the studio keeps. */
export const isChange = ({ method, changesNothing }: Pick<Route, 'method' | 'changesNothing'>): boolean =>
  method !== 'GET' && changesNothing !== true;

/** Throws HttpProblem 403 for a change with a token that may only read, and for a token that is for another route. */
export function checkMay(visitor: Visitor, route: Pick<Route, 'method' | 'changesNothing' | 'takesRunToken'>): void {
  if (visitor.run !== null && route.takesRunToken !== true)
    throw new HttpProblem(403, 'This token is for the worker of one run, and opens nothing else.', {
      code: 'run_token',
    });
  if (!visitor.isReadOnly || !isChange(route)) return;
  throw new HttpProblem(
    403,
    `The token of ${visitor.name} may only read, and this request would change something. Ask whoever runs the studio ` +
      'for a token without --read-only.',
    { code: 'read_only_token' },
  );
}
