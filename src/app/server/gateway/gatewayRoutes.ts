// The endpoints in gateway mode: the same paths, answered by the remote studio. Upstream paths are fixed here; from a caller
// only ids that are UUIDs, a validated chat request, and bodies within bounds (gatewayWrites.ts) get through.
import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import type { ParsedAs } from '#core/contract/issues.ts';
import { parseResponsesBody } from '#core/contract/responses.ts';
import { parseTextBody } from '#core/contract/textCompletion.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { shutdownProblem, watchCaller } from '#features/playground/server/chatAnswer.ts';
import { CHAT_BODY_BYTES, unknownModel, withRequest } from '#features/playground/server/chatRoute.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { matchesEtag } from '#service/http/etag.ts';
import { STREAM_TIMING } from '#service/http/eventStream.ts';
import type { OpenStreams } from '#service/http/openStreams.ts';
import { passOn, toPassedHeaders } from './passOn.ts';
import { readForbidden, toOptionalError, toRemoteError } from './remoteError.ts';
import { openMemoryBudget, type MemoryBudget } from '#service/http/memoryBudget.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { sendJson, type Route, type RouteContext } from '#service/http/route.ts';
import { toWriteRoutes, type PassRequest } from './gatewayWrites.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';
import { toRefusal } from './upstreamFailure.ts';
import { toPath } from '#core/contract/path.ts';

export interface GatewayDeps {
  readonly upstream: Upstream;
  readonly streams: OpenStreams;
  /** The memory budget for bodies of chat requests. */
  readonly bodies: MemoryBudget;
  readonly timing: GatewayTiming;
}

/** How long things may take, in milliseconds. */
export interface GatewayTiming {
  /** How long the remote may take to the first byte of a resource, and how long it may be silent after that. */
  readonly readMs: number;
  /** The same for a chat answer: a slow model thinks long, and the dashboard shows the elapsed time. */
  readonly chatMs: number;
  /** How often a caller of a silent stream gets a comment. */
  readonly heartbeatMs: number;
}

export const GATEWAY_TIMING: GatewayTiming = {
  heartbeatMs: STREAM_TIMING.heartbeatMs,
  readMs: 60_000,
  chatMs: 600_000,
};

/** Passes the answer on as it comes; `silenceMs`: how long the remote may send nothing. */
type Pass = (cacheControl: string, silenceMs: number) => Promise<Response>;

/** Sends a request upstream. Aborts it when the caller leaves. */
async function sendUpstream(
  deps: GatewayDeps,
  context: RouteContext,
  request: Omit<UpstreamRequest, 'signal'>,
  handle: (answer: IncomingMessage, pass: Pass) => Promise<Response>,
): Promise<Response> {
  const { upstream, streams, timing } = deps;
  const { outgoing } = context.env;
  const watch = watchCaller(outgoing, streams);
  try {
    const answer = await upstream.send({ ...request, signal: watch.signal });
    if (answer.statusCode === 403) throw await readForbidden(answer, upstream, timing.readMs);
    const refusal = toRefusal(upstream.origin, answer.statusCode ?? 502, answer.headers.location);
    if (refusal) {
      answer.destroy();
      throw refusal;
    }
    return await handle(answer, async (cacheControl, silenceMs) => {
      // From here on the pipe notices when the caller leaves, and ends the answer at shutdown.
      watch.release();
      const { heartbeatMs } = timing;
      await passOn(answer, outgoing, { streams, origin: upstream.origin, cacheControl, silenceMs, heartbeatMs });
      return RESPONSE_ALREADY_SENT;
    });
  } catch (error) {
    if (watch.reason() === 'caller-gone') return RESPONSE_ALREADY_SENT;
    throw watch.reason() === 'shutdown' ? shutdownProblem() : error;
  } finally {
    watch.release();
  }
}

/** A resource. `toOther`: what to answer instead; null: the answer of the remote. */
async function sendResource(
  deps: GatewayDeps,
  context: RouteContext,
  path: string,
  toOther: (answer: IncomingMessage) => Response | null = () => null,
): Promise<Response> {
  const { readMs } = deps.timing;
  const ifNoneMatch = context.req.header('If-None-Match');
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  };
  const request = { method: 'GET', path, headers, firstByteMs: readMs } as const;
  return sendUpstream(deps, context, request, async (answer, pass) => {
    const other = toOther(answer);
    if (other) {
      answer.destroy();
      return other;
    }
    const passed = { ...toPassedHeaders(answer.headers), 'Cache-Control': 'private, no-cache' };
    const etag = answer.statusCode === 200 ? answer.headers.etag : undefined;
    if (answer.statusCode === 304 || (etag !== undefined && matchesEtag(ifNoneMatch, etag))) {
      answer.destroy();
      return new Response(null, { status: 304, headers: passed });
    }
    return answer.statusCode === 200 ? pass('private, no-cache', readMs) : toRemoteError(answer, deps.upstream);
  });
}

/** SPEC doesn't have the path: a remote that refuses it, or answers with a page, has no examples. */
async function sendExamples(deps: GatewayDeps, context: RouteContext): Promise<Response> {
  const noExamples = (): Response => sendJson(null, 200, { 'Cache-Control': 'private, no-cache' });
  const path = toModelPath(deps, context, '/api/examples/{modelId}');
  if (path === null) return noExamples();
  return sendResource(deps, context, path, ({ statusCode: status = 502, headers }) => {
    if (status >= 500 || status === 429 || status === 304) return null;
    return status === 200 && /\bjson\b/.test(headers['content-type'] ?? '') ? null : noExamples();
  });
}

/** A path with the id of a model; null: an id such as ".." would change it. */
function toModelPath(
  { upstream }: GatewayDeps,
  context: RouteContext,
  pattern: Parameters<typeof toPath>[0],
): string | null {
  const path = toPath(pattern, [context.req.param('modelId') ?? '']);
  return new URL(path, upstream.origin).pathname === path ? path : null;
}

async function sendModel(deps: GatewayDeps, context: RouteContext): Promise<Response> {
  const path = toModelPath(deps, context, STUDIO.getModel.path);
  if (path === null) throw unknownModel(context.req.param('modelId') ?? '');
  return sendResource(deps, context, path);
}

/** Rows are not in SPEC, and can be large and private: a remote is not asked for them. */
function refuseRows(deps: GatewayDeps): never {
  throw new HttpProblem(
    404,
    `This studio passes requests on to ${deps.upstream.origin} and has no rows. Download them there, or export them ` +
      'from where the dataset was made.',
    { code: 'rows_not_available' },
  );
}

/** Passes on a request for text to the same path, and its answer. */
async function sendAsked(
  deps: GatewayDeps,
  context: RouteContext,
  path: string,
  request: { readonly stream?: boolean | null | undefined },
): Promise<Response> {
  const { chatMs } = deps.timing;
  const accept = request.stream === true ? 'text/event-stream' : 'application/json';
  const headers = { accept: context.req.header('Accept') ?? accept, 'content-type': 'application/json' };
  const sent = { method: 'POST', path, headers, body: JSON.stringify(request), firstByteMs: chatMs } as const;
  return sendUpstream(deps, context, { ...sent, changesNothing: true }, async (answer, pass) =>
    (answer.statusCode ?? 502) >= 400 ? toRemoteError(answer, deps.upstream) : pass('no-store', chatMs),
  );
}

const toAskedRoute = <Request extends { readonly stream?: boolean | null | undefined }>(
  deps: GatewayDeps,
  path: string,
  parse: (body: unknown) => ParsedAs<Request>,
): Route => ({
  method: 'POST',
  path,
  changesNothing: true,
  handle: (context) => withRequest(context, deps.bodies, parse, (request) => sendAsked(deps, context, path, request)),
});

/** Passes on a request that may change the remote, and its answer. */
const toPass =
  (deps: GatewayDeps): PassRequest =>
  (context, request) =>
    sendUpstream(deps, context, { ...request, firstByteMs: deps.timing.chatMs }, async (answer, pass) => {
      const { statusCode: status = 502 } = answer;
      if (status < 400 && status !== 204) return pass('no-store', deps.timing.readMs);
      return toOptionalError(answer, deps.upstream, `${request.method} ${request.path.replace(/\?.*$/, '')}`);
    });

export function toGatewayRoutes(
  options: Omit<GatewayDeps, 'bodies' | 'timing'> & Partial<GatewayDeps>,
): readonly Route[] {
  const deps: GatewayDeps = {
    bodies: openMemoryBudget(CHAT_BODY_BYTES),
    timing: GATEWAY_TIMING,
    ...options,
  };
  const toGet = ({ path }: { readonly path: string }, handle: Route['handle']): Route => ({
    method: 'GET',
    path,
    handle,
  });
  return [
    // Before the paths of a project and a job: the router takes the first that fits, and `create` is no id.
    ...toWriteRoutes(toPass(deps), deps.bodies),
    ...[STUDIO.listProjects, STUDIO.listModels].map((endpoint) =>
      toGet(endpoint, (context) => sendResource(deps, context, endpoint.path)),
    ),
    toGet(STUDIO.getModel, (context) => sendModel(deps, context)),
    toGet(STUDIO.getExamples, (context) => sendExamples(deps, context)),
    toRoute(STUDIO.getProject, async ({ params, context }) =>
      sendResource(deps, context, toPath(STUDIO.getProject.path, [params.projectId])),
    ),
    toRoute(STUDIO.getRecommendation, async ({ params, context }) =>
      sendResource(deps, context, toPath(STUDIO.getRecommendation.path, [params.snapshotId])),
    ),
    toRoute(STUDIO.getJob, async ({ params, context }) =>
      sendResource(deps, context, toPath(STUDIO.getJob.path, [params.jobId])),
    ),
    toGet(STUDIO.getRows, () => refuseRows(deps)),
    toAskedRoute(deps, STUDIO.createChatCompletion.path, parseChatRequest),
    // ASSUMED: not in SPEC. A remote that lacks it says so.
    toAskedRoute(deps, STUDIO.createCompletion.path, parseTextBody),
    toAskedRoute(deps, STUDIO.createResponse.path, parseResponsesBody),
  ];
}
