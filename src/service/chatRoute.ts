// POST /api/v1/chat/completions on the local engine (SPEC 4.3): validate, then stream or collect.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ChatRequest } from '../contract/chatRequest';
import { parseChatRequest } from '../contract/chatRequest';
import { ROUTES } from '../contract/routes';
import type { Engine } from '../engine/engine';
import { readJsonBody } from './body';
import { shutdownProblem, watchCaller, type CallerWatch, type ChatRun } from './chatAnswer';
import { collectCompletion } from './chatCompletion';
import { streamCompletion } from './chatStream';
import { STREAM_TIMING, toEventStream, type StreamTiming } from './eventStream';
import type { OpenStreams } from './openStreams';
import { requestId } from './perimeter';
import { HttpProblem, toProblem } from './problem';
import { sendJson, type Route, type RouteContext } from './route';

export interface ChatDeps {
  readonly engine: Engine;
  readonly streams: OpenStreams;
  readonly now: () => number;
  readonly random: (bytes: number) => string;
  readonly report: (line: string) => void;
  readonly timing?: StreamTiming & { readonly graceMs: number };
}

/** Body -> request; throws HttpProblem 400, 413 or 415. The gateway checks with it, too. */
export async function readChatRequest(context: RouteContext): Promise<ChatRequest> {
  const parsed = parseChatRequest(await readJsonBody(context.env.incoming));
  if (parsed.ok) return parsed.value;
  throw new HttpProblem(400, parsed.problem.message, { param: parsed.problem.param, code: 'invalid_request' });
}

function toRun(deps: ChatDeps, request: ChatRequest, signal: AbortSignal): ChatRun {
  return {
    id: `chatcmpl-${deps.random(18)}`,
    created: Math.floor(deps.now() / 1000),
    request,
    signal,
    async load() {
      const model = await deps.engine.load(request.model, signal);
      if (model) return model;
      throw new HttpProblem(404, `There is no model "${request.model}" here. GET ${ROUTES.models} lists those that this studio can serve.`, { param: 'model', code: 'model_not_found' });
    },
  };
}

/** What the caller of a failed run is told; null when it has left. */
function explain(deps: ChatDeps, context: RouteContext, watch: CallerWatch, error: unknown): HttpProblem | null {
  if (watch.reason() === 'caller-gone') return null;
  if (watch.reason() === 'shutdown') return shutdownProblem();
  return toProblem(error, requestId(context.env.outgoing), deps.report);
}

export function toChatRoute(deps: ChatDeps): Route {
  return {
    method: 'POST',
    path: ROUTES.chat,
    async handle(context) {
      const request = await readChatRequest(context);
      const { outgoing } = context.env;
      const watch = watchCaller(outgoing, deps.streams);
      const run = toRun(deps, request, watch.signal);
      try {
        if (request.stream !== true) return sendJson(await collectCompletion(run), 200, { 'Cache-Control': 'no-store' });
        const stream = toEventStream(outgoing, deps.timing ?? STREAM_TIMING);
        await streamCompletion(run, { stream, graceMs: deps.timing?.graceMs, explain: (error) => explain(deps, context, watch, error) });
        return RESPONSE_ALREADY_SENT;
      } catch (error) {
        const problem = explain(deps, context, watch, error);
        if (problem) throw problem;
        return RESPONSE_ALREADY_SENT;
      } finally {
        watch.release();
      }
    },
  };
}
