// The HTTP application: one route table, one error envelope, authentication on every route that isn't marked as open.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { OPENAPI_PATH, REFERENCE_PATH, type StudioFacts } from '#core/contract/sessionInfo.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import type { Change } from '#features/access/server/activityLog.ts';
import type { TokenStore } from '#features/access/server/tokens.ts';
import { checkMay, isChange, openAccess, toReader, type Access } from '#features/access/server/routes/authorization.ts';
import { cutWhenRevoked } from '#features/access/server/routes/revocation.ts';
import type { RequestCounts } from '#app/server/metrics/requestCounts.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import type { Authentication } from '#service/http/authentication.ts';
import { checkEncoding, dropRest, REST } from '#service/http/body.ts';
import { openBoundedReads, type AnswerRead } from '#service/http/boundedReads.ts';
import type { Readiness } from './backend.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import type { Front } from '#service/http/dashboardFiles.ts';
import { sendNotice } from '#service/http/page.ts';
import { requestId } from '#service/http/perimeter.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { problemEnvelope, toProblem } from '#service/http/problem.ts';
import { toReadyRoute } from './readiness.ts';
import { toReferenceRoutes } from './reference.ts';
import { sendJson, type Route, type RouteContext, type RouteEnv } from '#service/http/route.ts';
import { redirectSignIn, toSessionRoutes } from '#features/access/server/routes/sessionRoutes.ts';
import { sendStatic } from '#service/http/staticFiles.ts';

export interface AppOptions {
  /** The API routes of the local studio or of the gateway. */
  readonly routes: readonly Route[];
  readonly session: () => Promise<StudioFacts>;
  /** Whether the backend can answer now. */
  readonly readiness: () => Promise<Readiness>;
  readonly authentication: Authentication;
  readonly tokens: TokenStore;
  /** Writes a change that was made to the activity log; missing: there is none. */
  readonly record?: (change: Change) => void;
  readonly front: Front;
  /** Counts every request to a route of the table. */
  readonly requests?: Pick<RequestCounts, 'count'>;
  /** Answers routes with a load; missing: within the usual limits. */
  readonly answerRead?: AnswerRead;
  readonly version: string;
  readonly random: (bytes: number) => string;
  /** Writes one entry to the operator's log. */
  readonly report: (line: string) => void;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);

/** Ids of models may have slashes, and not every client encodes them. */
const toPattern = (path: string): string =>
  path.replace(/\{modelId\}$/, ':modelId{[^]+}').replaceAll(/\{(\w+)\}/g, ':$1');

function toSystemRoutes(version: string, readiness: () => Promise<Readiness>): readonly Route[] {
  let document: Promise<object> | null = null;
  return [
    toReadyRoute(readiness),
    toRoute(STUDIO.getHealth, async () => sendJson({ status: 'ok', version }, 200, { 'Cache-Control': 'no-store' })),
    {
      method: 'GET',
      path: OPENAPI_PATH,
      // Made on demand and once: it needs the larger half of the schema library, and a tenth of a second.
      async handle() {
        document ??= import('#app/server/openapi/openapi.ts').then(({ toOpenApi }) => toOpenApi(version));
        return sendJson(await document);
      },
    },
  ];
}

function methodNotAllowed(allowed: readonly string[]): HttpProblem {
  const methods = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return new HttpProblem(405, `This path takes ${methods}.`, {
    code: 'method_not_allowed',
    headers: { Allow: methods },
  });
}

interface Gate {
  readonly access: Access;
  readonly record?: AppOptions['record'];
  readonly answerRead: AnswerRead;
}

/** Hands a request to the entry for its method. 405 and 415 come before 401, because they reveal nothing. */
async function dispatch(
  entries: readonly Route[],
  { access, record, answerRead }: Gate,
  context: RouteContext,
): Promise<Response> {
  const method = context.req.method === 'HEAD' ? 'GET' : context.req.method;
  const route = entries.find((entry) => entry.method === method);
  if (!route) throw methodNotAllowed(entries.map((entry) => entry.method));
  if (route.method !== 'GET') checkEncoding(context.req.header('Content-Encoding'));
  if (route.isOpen) return route.handle(context);
  const visitor = await access.identify(context.env.incoming);
  context.set('caller', visitor.caller);
  context.set('who', visitor.name);
  context.set('isReadOnly', visitor.isReadOnly);
  context.set('run', visitor.run);
  checkMay(visitor, route);
  const { token } = visitor;
  if (token !== null) cutWhenRevoked(context.env, () => access.isGood(token));
  const { load } = route;
  const reader = toReader(visitor);
  context.set('reader', reader);
  const handle = async (): Promise<Response> =>
    load === undefined
      ? route.handle(context)
      : answerRead(load, reader, context.env.outgoing, (signal) => {
          context.set('signal', signal);
          return route.handle(context);
        });
  if (!isChange(route)) return handle();
  const note = (isCertain: boolean): void => {
    const nodeId = context.get('node');
    const { method: verb, path } = route;
    if (route.isQuiet !== true)
      record?.({
        who: visitor.name,
        method: verb,
        route: path,
        path: context.req.path,
        nodeId,
        ...(isCertain ? {} : { isCertain }),
      });
  };
  return change(handle, note);
}

/** Makes a change and notes it, also one that the database may have made although it did not answer in time. */
async function change(handle: () => Promise<Response>, note: (isCertain: boolean) => void): Promise<Response> {
  try {
    const response = await handle();
    if (response.status < 400) note(true);
    return response;
  } catch (error) {
    const late = error instanceof DatabaseUnavailable ? error.late : null;
    if (late === null) throw error;
    void late.mayBeDone.then((mayBeDone) => mayBeDone && note(false));
    throw new HttpProblem(503, late.message, { code: 'may_be_done' });
  }
}

/**
 * Counts a request when its answer has ended, also one that was cut off, or that its sender left before any answer.
 * Methods that no route has are one label.
 */
function countWhenDone(requests: Pick<RequestCounts, 'count'>, route: string, { env, req }: RouteContext): void {
  const { outgoing } = env;
  const began = performance.now();
  const method = METHODS.has(req.method) ? req.method : 'other';
  outgoing.once('close', () => {
    const status = outgoing.headersSent ? outgoing.statusCode : 'aborted';
    requests.count({ method, route, status, seconds: (performance.now() - began) / 1000 });
  });
}

async function sendProblem(context: RouteContext, problem: HttpProblem): Promise<Response> {
  const { outgoing } = context.env;
  if (!outgoing.headersSent) await dropRest(context.env, REST);
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  const isPage = !context.req.path.startsWith('/api') && (context.req.header('Accept') ?? '').includes('text/html');
  const response = isPage
    ? sendNotice(problem.status, problem.status === 404 ? 'Page not found' : 'That did not work', problem.message)
    : sendJson(problemEnvelope(problem), problem.status, { 'Cache-Control': 'no-store' });
  for (const [name, value] of Object.entries(problem.headers)) response.headers.set(name, value);
  return response;
}

const notFound = (path: string): HttpProblem =>
  new HttpProblem(
    404,
    path.startsWith('/api')
      ? `There is no such endpoint. ${REFERENCE_PATH} lists what there is.`
      : 'There is no page at this address. Check it, or go on from the studio itself.',
    { code: 'not_found' },
  );

export function toApp(options: AppOptions): Hono<RouteEnv> {
  const { authentication, front, random, record, report } = options;
  const access = openAccess(authentication, options.tokens);
  const gate: Gate = { access, answerRead: options.answerRead ?? openBoundedReads(), ...(record ? { record } : {}) };
  const app = new Hono<RouteEnv>();
  const table = [
    ...options.routes,
    ...toSessionRoutes({ authentication, access, session: options.session }),
    ...toSystemRoutes(options.version, options.readiness),
    ...toReferenceRoutes(),
  ];
  for (const path of new Set(table.map((route) => route.path))) {
    const entries = table.filter((route) => route.path === path);
    app.all(toPattern(path), (context) => {
      if (options.requests) countWhenDone(options.requests, path, context);
      return dispatch(entries, gate, context);
    });
  }
  app.all('/api/*', async (context) => {
    await access.identify(context.env.incoming);
    throw notFound(context.req.path);
  });
  app.get(
    '/',
    async (context) =>
      (await redirectSignIn(context, { authentication, access })) ??
      front.sendIndex({
        nonce: random(16),
        isSignedIn: await access.identify(context.env.incoming).then(
          () => true,
          () => false,
        ),
      }),
  );
  app.get('*', (context) => {
    const file = front.find(context.req.path);
    if (file) return sendStatic(file, context);
    throw notFound(context.req.path);
  });
  app.all('*', () => {
    throw methodNotAllowed(['GET']);
  });
  app.onError((error, context) => sendProblem(context, toProblem(error, requestId(context.env.outgoing), report)));
  return app;
}
