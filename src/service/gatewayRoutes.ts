// The endpoints in gateway mode: the same paths, answered by the remote studio. Upstream paths are fixed here;
// from a caller only ids that are UUIDs and a validated chat request get through.
import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { jobPath, projectPath, recommendationPath, ROUTES } from '../contract/routes';
import { readText } from '../engine/upstreamHttp';
import { shutdownProblem, watchCaller } from './chatAnswer';
import { readChatRequest } from './chatRoute';
import { sendTagged } from './conditional';
import type { OpenStreams } from './openStreams';
import { passOn, toPassedHeaders } from './passOn';
import { HttpProblem } from './problem';
import { toRemoteError } from './remoteError';
import { uuidParam, type Route, type RouteContext } from './route';
import type { Upstream, UpstreamRequest } from './upstream';
import { toCut, toForbidden, toRefusal } from './upstreamFailure';

export interface GatewayDeps {
  readonly upstream: Upstream;
  readonly streams: OpenStreams;
  /** After how long a reader that takes nothing is dropped. */
  readonly stallMs?: number;
}

const READ_MS = 60_000;
/** A whole answer of a slow model may take long; the dashboard shows the time that has passed. */
const CHAT_MS = 600_000;
const MAX_TREE_BYTES = 256 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** Sends a request upstream for as long as the caller is there. Null when it has left. */
async function ask<T>(deps: GatewayDeps, context: RouteContext, request: Omit<UpstreamRequest, 'signal'>, take: (answer: IncomingMessage, release: () => void) => Promise<T>): Promise<T | null> {
  const { upstream } = deps;
  const watch = watchCaller(context.env.outgoing, deps.streams);
  try {
    const answer = await upstream.send({ ...request, signal: watch.signal });
    if (answer.statusCode === 403) throw toForbidden(upstream.origin, await readText(answer, MAX_ERROR_BYTES).catch(() => ''), upstream.redact);
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

async function readAll(answer: IncomingMessage, origin: string): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > MAX_TREE_BYTES) throw new HttpProblem(502, `The remote studio at ${origin} sent more than ${MAX_TREE_BYTES / 1024 / 1024} MiB.`, { code: 'remote_too_large' });
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof HttpProblem ? error : toCut(origin);
  }
  return Buffer.concat(parts, length);
}

/** Reads a resource whole, so that it gets an ETag here when the remote gives none. */
async function read(deps: GatewayDeps, context: RouteContext, path: string): Promise<Response> {
  const ifNoneMatch = context.req.header('If-None-Match');
  const headers: Record<string, string> = { accept: 'application/json', ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }) };
  const response = await ask(deps, context, { method: 'GET', path, headers, firstByteMs: READ_MS }, async (answer) => {
    const passed = toPassedHeaders(answer.headers);
    if (answer.statusCode === 304) return new Response(null, { status: 304, headers: { ...passed, 'Cache-Control': 'private, no-cache' } });
    if (answer.statusCode !== 200) return toRemoteError(answer, deps.upstream);
    const body = await readAll(answer, deps.upstream.origin);
    const tagged = sendTagged(body, ifNoneMatch, passed['etag']);
    for (const [name, value] of Object.entries(passed)) if (name !== 'etag') tagged.headers.set(name, value);
    return tagged;
  });
  return response ?? RESPONSE_ALREADY_SENT;
}

async function chat(deps: GatewayDeps, context: RouteContext): Promise<Response> {
  const request = await readChatRequest(context);
  const accept = request.stream === true ? 'text/event-stream' : 'application/json';
  const headers = { accept: context.req.header('Accept') ?? accept, 'content-type': 'application/json' };
  const failure = await ask(deps, context, { method: 'POST', path: ROUTES.chat, headers, body: JSON.stringify(request), firstByteMs: CHAT_MS }, async (answer, release) => {
    if ((answer.statusCode ?? 502) >= 400) return toRemoteError(answer, deps.upstream);
    // From here on the pipe sees the caller leave, and ends the stream itself at shutdown.
    release();
    await passOn(answer, context.env.outgoing, deps.streams, deps.stallMs);
    return null;
  });
  return failure ?? RESPONSE_ALREADY_SENT;
}

export function toGatewayRoutes(deps: GatewayDeps): readonly Route[] {
  return [
    { method: 'GET', path: ROUTES.projects, handle: (context) => read(deps, context, ROUTES.projects) },
    { method: 'GET', path: ROUTES.models, handle: (context) => read(deps, context, ROUTES.models) },
    { method: 'GET', path: ROUTES.project, handle: (context) => read(deps, context, projectPath(uuidParam(context, 'projectId'))) },
    { method: 'GET', path: ROUTES.recommendation, handle: (context) => read(deps, context, recommendationPath(uuidParam(context, 'snapshotId'))) },
    { method: 'GET', path: ROUTES.job, handle: (context) => read(deps, context, jobPath(uuidParam(context, 'jobId'))) },
    { method: 'POST', path: ROUTES.chat, handle: (context) => chat(deps, context) },
  ];
}
