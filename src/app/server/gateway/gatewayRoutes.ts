// The endpoints in gateway mode: the same paths, answered by the remote studio. Upstream paths are fixed here;
// from a caller only ids that are UUIDs and a validated chat request get through.
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
import { isEventStream, passOn, toPassedHeaders } from './passOn.ts';
import { bufferBody, BUDGET_BYTES } from './remoteBody.ts';
import { readForbidden, toRemoteError } from './remoteError.ts';
import { openMemoryBudget, type MemoryBudget } from '#service/http/memoryBudget.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { sendJson, type Route, type RouteContext } from '#service/http/route.ts';
import { sendParts } from '#service/http/sendParts.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';
import { toRefusal } from './upstreamFailure.ts';
import { toPath } from '#core/contract/path.ts';

export interface GatewayDeps {
  readonly upstream: Upstream;
  readonly streams: OpenStreams;
  /** The memory budget for buffered answers. */
  readonly budget: MemoryBudget;
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

/** Sends a request upstream. Aborts it when the caller leaves, and then returns null. */
async function sendUpstream<T>(
  deps: GatewayDeps,
  context: RouteContext,
  request: Omit<UpstreamRequest, 'signal'>,
  handle: (answer: IncomingMessage, release: () => void) => Promise<T>,
): Promise<T | null> {
  const { upstream } = deps;
  const watch = watchCaller(context.env.outgoing, deps.streams);
  try {
    const answer = await upstream.send({ ...request, signal: watch.signal });
    if (answer.statusCode === 403) throw await readForbidden(answer, upstream, deps.timing.readMs);
    const refusal = toRefusal(upstream.origin, answer.statusCode ?? 502, answer.headers.location);
    if (!refusal) return await handle(answer, () => watch.release());
    answer.destroy();
    throw refusal;
  } catch (error) {
    if (watch.reason() === 'caller-gone') return null;
    throw watch.reason() === 'shutdown' ? shutdownProblem() : error;
  } finally {
    watch.release();
  }
}

interface SendOptions {
  readonly cacheControl: string;
  readonly silenceMs: number;
  /** The caller's If-None-Match; set for an answer that gets an ETag. */
  readonly tags?: { readonly ifNoneMatch: string | undefined };
}

/** Sends an answer that isn't a stream: buffered if the budget allows it, otherwise piped through. */
async function sendBody(
  deps: GatewayDeps,
  context: RouteContext,
  answer: IncomingMessage,
  release: () => void,
  options: SendOptions,
): Promise<Response | null> {
  const {
    streams,
    budget,
    upstream: { origin },
    timing,
  } = deps;
  const { cacheControl, silenceMs, tags } = options;
  const { outgoing } = context.env;
  const passed = toPassedHeaders(answer.headers);
  const buffered = await bufferBody(answer, { budget, silenceMs, origin });
  try {
    const etag = passed['etag'] ?? (buffered.isWhole && tags ? buffered.etag : undefined);
    const headers = { ...passed, 'Cache-Control': cacheControl, ...(etag === undefined ? {} : { etag }) };
    if (tags && etag !== undefined && matchesEtag(tags.ifNoneMatch, etag)) {
      answer.destroy();
      return new Response(null, { status: 304, headers });
    }
    // From here on the writer notices when the caller leaves, and ends the answer at shutdown.
    release();
    if (buffered.isWhole)
      await sendParts(outgoing, {
        status: answer.statusCode ?? 200,
        headers,
        parts: buffered.parts,
      });
    else
      await passOn(answer, outgoing, { ...timing, streams, origin, cacheControl, silenceMs, before: buffered.parts });
    return RESPONSE_ALREADY_SENT;
  } finally {
    budget.release(buffered.bytes);
  }
}

/** A resource. Without an ETag of the remote it gets one here, unless it is too large to be buffered. */
async function sendResource(deps: GatewayDeps, context: RouteContext, path: string): Promise<Response> {
  const { readMs } = deps.timing;
  const ifNoneMatch = context.req.header('If-None-Match');
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  };
  const cacheControl = 'private, no-cache';
  const response = await sendUpstream(
    deps,
    context,
    { method: 'GET', path, headers, firstByteMs: readMs },
    async (answer, release) => {
      if (answer.statusCode === 304)
        return new Response(null, {
          status: 304,
          headers: { ...toPassedHeaders(answer.headers), 'Cache-Control': cacheControl },
        });
      if (answer.statusCode !== 200) return toRemoteError(answer, deps.upstream);
      return sendBody(deps, context, answer, release, { cacheControl, silenceMs: readMs, tags: { ifNoneMatch } });
    },
  );
  return response ?? RESPONSE_ALREADY_SENT;
}

const noExamples = (): Response => sendJson(null, 200, { 'Cache-Control': 'private, no-cache' });

/** SPEC doesn't have the path: a remote that refuses it, or answers with a page, has no examples. */
async function sendExamples(deps: GatewayDeps, context: RouteContext): Promise<Response> {
  const { readMs } = deps.timing;
  const path = toPath('/api/examples/{modelId}', [context.req.param('modelId') ?? '']);
  // An id such as ".." would change the path.
  if (new URL(path, deps.upstream.origin).pathname !== path) return noExamples();
  const response = await sendUpstream(
    deps,
    context,
    { method: 'GET', path, headers: { accept: 'application/json' }, firstByteMs: readMs },
    async (answer, release) => {
      const status = answer.statusCode ?? 502;
      if (status >= 500 || status === 429) return toRemoteError(answer, deps.upstream);
      if (status === 200 && /\bjson\b/.test(answer.headers['content-type'] ?? ''))
        return sendBody(deps, context, answer, release, { cacheControl: 'private, no-cache', silenceMs: readMs });
      answer.destroy();
      return noExamples();
    },
  );
  return response ?? RESPONSE_ALREADY_SENT;
}

/** The path of a model; null: an id such as ".." would change it. */
function toModelPath(deps: GatewayDeps, context: RouteContext): string | null {
  const path = toPath('/api/v1/models/{modelId}', [context.req.param('modelId') ?? '']);
  return new URL(path, deps.upstream.origin).pathname === path ? path : null;
}

async function sendModel(deps: GatewayDeps, context: RouteContext): Promise<Response> {
  const path = toModelPath(deps, context);
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
  const { streams, upstream, timing } = deps;
  const accept = request.stream === true ? 'text/event-stream' : 'application/json';
  const headers = { accept: context.req.header('Accept') ?? accept, 'content-type': 'application/json' };
  const cacheControl = 'no-store';
  const silenceMs = timing.chatMs;
  const response = await sendUpstream(
    deps,
    context,
    { method: 'POST', path, headers, body: JSON.stringify(request), firstByteMs: silenceMs },
    async (answer, release) => {
      if ((answer.statusCode ?? 502) >= 400) return toRemoteError(answer, upstream);
      if (!isEventStream(answer)) return sendBody(deps, context, answer, release, { cacheControl, silenceMs });
      // From here on the pipe notices when the caller leaves, and ends the stream at shutdown.
      release();
      await passOn(answer, context.env.outgoing, {
        ...timing,
        streams,
        origin: upstream.origin,
        cacheControl,
        silenceMs,
      });
      return null;
    },
  );
  return response ?? RESPONSE_ALREADY_SENT;
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

export function toGatewayRoutes(
  options: Omit<GatewayDeps, 'budget' | 'bodies' | 'timing'> & Partial<GatewayDeps>,
): readonly Route[] {
  const deps: GatewayDeps = {
    budget: openMemoryBudget(BUDGET_BYTES),
    bodies: openMemoryBudget(CHAT_BODY_BYTES),
    timing: GATEWAY_TIMING,
    ...options,
  };
  return [
    {
      method: 'GET',
      path: STUDIO.listProjects.path,
      handle: (context) => sendResource(deps, context, STUDIO.listProjects.path),
    },
    {
      method: 'GET',
      path: STUDIO.listModels.path,
      handle: (context) => sendResource(deps, context, STUDIO.listModels.path),
    },
    { method: 'GET', path: STUDIO.getModel.path, handle: (context) => sendModel(deps, context) },
    { method: 'GET', path: STUDIO.getExamples.path, handle: (context) => sendExamples(deps, context) },
    toRoute(STUDIO.getProject, async ({ params, context }) =>
      sendResource(deps, context, toPath(STUDIO.getProject.path, [params.projectId])),
    ),
    toRoute(STUDIO.getRecommendation, async ({ params, context }) =>
      sendResource(deps, context, toPath(STUDIO.getRecommendation.path, [params.snapshotId])),
    ),
    toRoute(STUDIO.getJob, async ({ params, context }) =>
      sendResource(deps, context, toPath(STUDIO.getJob.path, [params.jobId])),
    ),
    { method: 'GET', path: STUDIO.getRows.path, handle: () => refuseRows(deps) },
    toAskedRoute(deps, STUDIO.createChatCompletion.path, parseChatRequest),
    // ASSUMED: not in SPEC. A remote that lacks it says so.
    toAskedRoute(deps, STUDIO.createCompletion.path, parseTextBody),
    toAskedRoute(deps, STUDIO.createResponse.path, parseResponsesBody),
  ];
}
