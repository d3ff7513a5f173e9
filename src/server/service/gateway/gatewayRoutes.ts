// The endpoints in gateway mode: the same paths, answered by the remote studio. Upstream paths are fixed here;
// from a caller only ids that are UUIDs and a validated chat request get through.
import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { examplesPath, jobPath, projectPath, recommendationPath, ROUTES } from '#shared/contract/routes.ts';
import { shutdownProblem, watchCaller } from '#server/service/chatAnswer.ts';
import { CHAT_BODY_BYTES, withChatRequest } from '#server/service/chatRoute.ts';
import { matchesEtag } from '#server/service/etag.ts';
import { STREAM_TIMING } from '#server/service/eventStream.ts';
import type { OpenStreams } from '#server/service/openStreams.ts';
import { isEventStream, passOn, toPassedHeaders } from './passOn.ts';
import { holdBody, ROOM_BYTES } from './remoteBody.ts';
import { readForbidden, toRemoteError } from './remoteError.ts';
import { openRoom, type Room } from '#server/service/room.ts';
import { sendJson, uuidParam, type Route, type RouteContext } from '#server/service/route.ts';
import { sendParts } from '#server/service/sendParts.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';
import { toRefusal } from './upstreamFailure.ts';

export interface GatewayDeps {
  readonly upstream: Upstream;
  readonly streams: OpenStreams;
  /** For answers that are held until they are whole. */
  readonly room: Room;
  /** For the bodies of chat requests. */
  readonly bodies: Room;
  readonly timing: GatewayTiming;
}

/** How long things may take, in milliseconds. */
export interface GatewayTiming {
  /** How long the remote may take to the first byte of a resource, and be silent in the middle of it. */
  readonly readMs: number;
  /** The same of a chat answer: a slow model thinks long, and the dashboard shows the time that has passed. */
  readonly chatMs: number;
  /** A caller of a silent stream gets a comment this often. */
  readonly heartbeatMs: number;
}

export const GATEWAY_TIMING: GatewayTiming = {
  heartbeatMs: STREAM_TIMING.heartbeatMs,
  readMs: 60_000,
  chatMs: 600_000,
};

/** Sends a request upstream for as long as the caller is there. Null when it has left. */
async function ask<T>(
  deps: GatewayDeps,
  context: RouteContext,
  request: Omit<UpstreamRequest, 'signal'>,
  take: (answer: IncomingMessage, release: () => void) => Promise<T>,
): Promise<T | null> {
  const { upstream } = deps;
  const watch = watchCaller(context.env.outgoing, deps.streams);
  try {
    const answer = await upstream.send({ ...request, signal: watch.signal });
    if (answer.statusCode === 403) throw await readForbidden(answer, upstream, deps.timing.readMs);
    const refusal = toRefusal(upstream.origin, answer.statusCode ?? 502, answer.headers.location);
    if (!refusal) return await take(answer, () => watch.release());
    answer.destroy();
    throw refusal;
  } catch (error) {
    if (watch.reason() === 'caller-gone') return null;
    throw watch.reason() === 'shutdown' ? shutdownProblem() : error;
  } finally {
    watch.release();
  }
}

interface Sending {
  readonly cacheControl: string;
  readonly silenceMs: number;
  /** The caller's, when the answer is to have an ETag. */
  readonly tags?: { readonly ifNoneMatch: string | undefined };
}

/** Sends an answer that is no stream: whole, as long as it can be held here, else as it comes. */
async function sendBody(
  deps: GatewayDeps,
  context: RouteContext,
  answer: IncomingMessage,
  release: () => void,
  sending: Sending,
): Promise<Response | null> {
  const {
    streams,
    room,
    upstream: { origin },
    timing,
  } = deps;
  const { cacheControl, silenceMs, tags } = sending;
  const { outgoing } = context.env;
  const passed = toPassedHeaders(answer.headers);
  const held = await holdBody(answer, { room, silenceMs, origin });
  try {
    const etag = passed['etag'] ?? (held.isWhole && tags ? held.etag : undefined);
    const headers = { ...passed, 'Cache-Control': cacheControl, ...(etag === undefined ? {} : { etag }) };
    if (tags && etag !== undefined && matchesEtag(tags.ifNoneMatch, etag)) {
      answer.destroy();
      return new Response(null, { status: 304, headers });
    }
    // From here on the writer sees the caller leave, and ends the answer itself at shutdown.
    release();
    if (held.isWhole)
      await sendParts(outgoing, {
        status: answer.statusCode ?? 200,
        headers,
        parts: held.parts,
      });
    else await passOn(answer, outgoing, { ...timing, streams, origin, cacheControl, silenceMs, before: held.parts });
    return RESPONSE_ALREADY_SENT;
  } finally {
    room.giveBack(held.bytes);
  }
}

/** A resource: with an ETag made here when the remote gives none, unless it is too large to be held. */
async function read(deps: GatewayDeps, context: RouteContext, path: string): Promise<Response> {
  const { readMs } = deps.timing;
  const ifNoneMatch = context.req.header('If-None-Match');
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  };
  const cacheControl = 'private, no-cache';
  const response = await ask(
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
async function readExamples(deps: GatewayDeps, context: RouteContext): Promise<Response> {
  const { readMs } = deps.timing;
  const path = examplesPath(context.req.param('modelId') ?? '');
  // An id such as ".." would make another path of it.
  if (new URL(path, deps.upstream.origin).pathname !== path) return noExamples();
  const response = await ask(
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

async function chat(deps: GatewayDeps, context: RouteContext, request: ChatRequest): Promise<Response> {
  const { streams, upstream, timing } = deps;
  const accept = request.stream === true ? 'text/event-stream' : 'application/json';
  const headers = { accept: context.req.header('Accept') ?? accept, 'content-type': 'application/json' };
  const cacheControl = 'no-store';
  const silenceMs = timing.chatMs;
  const response = await ask(
    deps,
    context,
    { method: 'POST', path: ROUTES.chat, headers, body: JSON.stringify(request), firstByteMs: silenceMs },
    async (answer, release) => {
      if ((answer.statusCode ?? 502) >= 400) return toRemoteError(answer, upstream);
      if (!isEventStream(answer)) return sendBody(deps, context, answer, release, { cacheControl, silenceMs });
      // From here on the pipe sees the caller leave, and ends the stream itself at shutdown.
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

export function toGatewayRoutes(
  given: Omit<GatewayDeps, 'room' | 'bodies' | 'timing'> & Partial<GatewayDeps>,
): readonly Route[] {
  const deps: GatewayDeps = {
    room: openRoom(ROOM_BYTES),
    bodies: openRoom(CHAT_BODY_BYTES),
    timing: GATEWAY_TIMING,
    ...given,
  };
  return [
    { method: 'GET', path: ROUTES.projects, handle: (context) => read(deps, context, ROUTES.projects) },
    { method: 'GET', path: ROUTES.models, handle: (context) => read(deps, context, ROUTES.models) },
    { method: 'GET', path: ROUTES.examples, handle: (context) => readExamples(deps, context) },
    {
      method: 'GET',
      path: ROUTES.project,
      handle: (context) => read(deps, context, projectPath(uuidParam(context, 'projectId'))),
    },
    {
      method: 'GET',
      path: ROUTES.recommendation,
      handle: (context) => read(deps, context, recommendationPath(uuidParam(context, 'snapshotId'))),
    },
    { method: 'GET', path: ROUTES.job, handle: (context) => read(deps, context, jobPath(uuidParam(context, 'jobId'))) },
    {
      method: 'POST',
      path: ROUTES.chat,
      handle: (context) => withChatRequest(context, deps.bodies, (request) => chat(deps, context, request)),
    },
  ];
}
