// The shape of one entry of the route table, and answers in JSON.
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { isUuid, UUID_RULE } from '#core/contract/uuid.ts';
import type { Load } from './boundedReads.ts';
import { HttpProblem } from './httpProblem.ts';

export interface RouteEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    /** The caller's key (caller.ts); missing on open routes. */
    caller?: string;
    /** The name of the token; null: the owner's. Missing on open routes. */
    who?: string | null;
    /** The only experiment that the token is for; null: any. Missing on open routes. */
    run?: string | null;
    /** The token may change nothing. */
    isReadOnly?: boolean;
    /** Whose reads count together (identify.ts); missing on open routes. */
    reader?: string;
    /** Of a route with a load: aborted when the reader has left, or the time is over. */
    signal?: AbortSignal;
    /** For the log of changes: the node that a request made or is about, where its path doesn't name it. */
    node?: string;
  };
}

export type RouteContext = Context<RouteEnv>;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As in contract/routes: `/api/v1/public/projects/{projectId}`. */
  readonly path: string;
  /** An open route needs no token. Routes are closed by default. */
  readonly isOpen?: boolean;
  /** Not a GET, but it leaves what the studio keeps as it is: read-only tokens may use it, and it is not recorded. */
  readonly changesNothing?: true;
  /** One of many changes that belong to one that people made: it is not recorded by itself. */
  readonly isQuiet?: true;
  /** The token of a run's own worker may use it, too; any other route refuses such a token. */
  readonly takesRunToken?: true;
  /** It may take long (boundedReads.ts); missing: it does not. */
  readonly load?: Load;
  handle(context: RouteContext): Response | Promise<Response>;
}

const NEVER = new AbortController().signal;

/** Whose turn an answer takes. */
export const readerOf = (context: RouteContext): string => context.get('reader') ?? '';

/** Whose token it is, by its name; null: the owner's. */
export const whoOf = (context: RouteContext): string | null => context.get('who') ?? null;

/** The only experiment that the token is for; null: any. */
export const runOf = (context: RouteContext): string | null => context.get('run') ?? null;

/** Aborted when nobody waits for the answer any more. */
export const signalOf = (context: RouteContext): AbortSignal => context.get('signal') ?? NEVER;

/** The studio's data: private, and revalidated each time. */
const PRIVATE_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' };

export function sendJson(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { ...PRIVATE_HEADERS, ...headers } });
}

/** A path parameter that must be a UUID before any use (SPEC 2.1); else 400 that names it. */
export function uuidParam(context: RouteContext, name: string): string {
  const value = context.req.param(name) ?? '';
  if (!isUuid(value))
    throw new HttpProblem(400, `${name} ${UUID_RULE}.`, {
      param: name,
      code: 'invalid_id',
    });
  return value.toLowerCase();
}
