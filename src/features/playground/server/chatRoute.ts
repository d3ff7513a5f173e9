// POST /api/v1/chat/completions on the local engine (SPEC 4.3): validate, then stream or collect.
import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import { isObject } from '#core/contract/readJson.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import type { ParsedAs } from '#core/contract/issues.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import type { Endpoint } from '#core/contract/endpoint.ts';
import type { Engine } from '#engine/engine.ts';
import { checkContentType, parseBody, readBytes } from '#service/http/body.ts';
import { dropSlowReader, shutdownProblem, tooLongProblem, watchCaller } from './chatAnswer.ts';
import type { Askable, CallerWatch, ChatRun, Run } from './chatAnswer.ts';
import { toKeptModel } from './keptAnswer.ts';
import { collectCompletion } from './chatCompletion.ts';
import { GRACE_MS, streamAnswer, writeChunks } from './chatStream.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { STREAM_TIMING, toEventStream, type EventStream, type StreamTiming } from '#service/http/eventStream.ts';
import type { OpenStreams } from '#service/http/openStreams.ts';
import { requestId } from '#service/http/perimeter.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { toProblem } from '#service/http/problem.ts';
import { openMemoryBudget, type MemoryBudget } from '#service/http/memoryBudget.ts';
import { sendJson, type Route, type RouteContext } from '#service/http/route.ts';

export interface ChatDeps {
  readonly engine: Engine;
  readonly streams: OpenStreams;
  readonly now: () => number;
  readonly random: (bytes: number) => string;
  readonly report: (line: string) => void;
  readonly timing?: ChatTiming;
  /** Another service of this studio that has a model; null: none is known to. */
  readonly findElsewhere?: (model: string) => Promise<string | null>;
  /** The memory budget for bodies of chat requests. */
  readonly bodies?: MemoryBudget;
  /** What keeps the answer of a model to a chat; null: nobody wants it. `projectId`: that the request names. */
  readonly findKeeper?: (
    model: string,
    projectId: string | null,
  ) => Promise<((messages: readonly ChatMessage[], output: string) => void) | null>;
}

export interface ChatTiming extends StreamTiming {
  /** How long the headers wait, so that an early failure still gets an HTTP status. */
  readonly graceMs: number;
  /** The longest time from a request to the end of its answer, waiting included. */
  readonly totalMs: number;
}

/** ASSUMED: SPEC 8 names no limit. A long answer of a large model on a few cores, behind others, takes an hour. */
const CHAT_TIMING: ChatTiming = { ...STREAM_TIMING, graceMs: GRACE_MS, totalMs: 2 * 3_600_000 };

/**
 * The most bytes of chat request bodies in memory, running and waiting: sixteen of the largest or thousands of usual
 * ones. A parsed body takes several times its bytes.
 */
export const CHAT_BODY_BYTES = 128 * 1024 * 1024;

interface Received<Request> {
  readonly request: Request;
  readonly bytes: number;
}

async function receive<Request>(
  incoming: IncomingMessage,
  bodies: MemoryBudget,
  parse: (body: unknown) => ParsedAs<Request>,
): Promise<Received<Request>> {
  checkContentType(incoming.headers['content-type']);
  const bytes = await readBytes(incoming, REQUEST_LIMITS.bodyBytes, { budget: bodies });
  try {
    const parsed = parse(parseBody(bytes));
    if (parsed.ok) return { request: parsed.value, bytes: bytes.length };
    throw new HttpProblem(400, parsed.problem.message, { param: parsed.problem.param, code: 'invalid_request' });
  } catch (error) {
    bodies.release(bytes.length);
    throw error;
  }
}

/**
 * Body -> request -> answer. The body's bytes are reserved in `bodies` until the answer has ended. Throws HttpProblem
 * 400, 413, 415 or 429. The gateway uses it too.
 */
export async function withRequest<Request>(
  context: RouteContext,
  bodies: MemoryBudget,
  parse: (body: unknown) => ParsedAs<Request>,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { request, bytes } = await receive(context.env.incoming, bodies, parse);
  try {
    return await answer(request);
  } finally {
    bodies.release(bytes);
  }
}

export const unknownModel = (model: string): HttpProblem =>
  new HttpProblem(
    404,
    `There is no model "${model}" here. GET ${STUDIO.listModels.path} lists those that this studio can serve.`,
    {
      param: 'model',
      code: 'model_not_found',
    },
  );

function toRun<Request extends Askable>(
  deps: ChatDeps,
  { prefix }: Pick<AnswerForm<Request>, 'prefix'>,
  request: Request,
  signal: AbortSignal,
  caller: string,
): Run<Request> {
  return {
    id: `${prefix}${deps.random(18)}`,
    created: Math.floor(deps.now() / 1000),
    request,
    signal,
    caller,
    async load() {
      const model = await deps.engine.load(request.model, signal, caller);
      if (model) return model;
      const elsewhere = await deps.findElsewhere?.(request.model).catch(() => null);
      if (elsewhere != null)
        throw new HttpProblem(
          404,
          `The model "${request.model}" is not served by this service, but by another one of this studio: ${elsewhere}. Start ` +
            'all of them with the same --model, models.json, --engine and data folder, or send the request to that one.',
          { param: 'model', code: 'model_served_elsewhere' },
        );
      throw unknownModel(request.model);
    },
  };
}

/** The problem to send for a failed run; null when the caller has left. */
function toCallerProblem(
  deps: ChatDeps,
  context: RouteContext,
  watch: CallerWatch,
  error: unknown,
): HttpProblem | null {
  if (watch.reason() === 'caller-gone') return null;
  if (watch.reason() === 'shutdown') return shutdownProblem();
  if (watch.reason() === 'too-long') return tooLongProblem((deps.timing ?? CHAT_TIMING).totalMs);
  return toProblem(error, requestId(context.env.outgoing), deps.report);
}

/** How the answers of one endpoint look. */
export interface AnswerForm<Request extends Askable> {
  /** Of ids. */
  readonly prefix: string;
  /** Runs the model to its end. */
  collect(run: Run<Request>): Promise<object>;
  write(run: Run<Request>, stream: EventStream): Promise<void>;
  /** What ends a stream that failed; missing: an error as a chunk. */
  toEnd?(run: Run<Request>): (problem: HttpProblem) => string;
}

/** Answers a request whole or as a stream. Throws HttpProblem while nothing has been written. */
async function answerWith<Request extends Askable>(
  deps: ChatDeps,
  context: RouteContext,
  request: Request,
  form: AnswerForm<Request>,
): Promise<Response> {
  const { outgoing } = context.env;
  const timing = deps.timing ?? CHAT_TIMING;
  const watch = watchCaller(outgoing, deps.streams, timing.totalMs);
  const run = toRun(deps, form, request, watch.signal, context.get('caller') ?? '');
  try {
    if (request.stream !== true) {
      const completion = await form.collect(run);
      dropSlowReader(outgoing, timing.behindMs);
      return sendJson(completion, 200, { 'Cache-Control': 'no-store' });
    }
    const stream = toEventStream(outgoing, timing);
    const explain = (error: unknown): HttpProblem | null => toCallerProblem(deps, context, watch, error);
    await streamAnswer((opened) => form.write(run, opened), {
      stream,
      graceMs: timing.graceMs,
      explain,
      ...(form.toEnd && { toEnd: form.toEnd(run) }),
    });
    return RESPONSE_ALREADY_SENT;
  } catch (error) {
    const problem = toCallerProblem(deps, context, watch, error);
    if (problem) throw problem;
    return RESPONSE_ALREADY_SENT;
  } finally {
    watch.release();
  }
}

/** A chat with the project that it names. */
interface ProjectChat extends Askable {
  readonly chat: ChatRequest;
  readonly projectId: string | null;
}

function parseProjectChat(body: unknown): ParsedAs<ProjectChat> {
  const parsed = parseChatRequest(body);
  if (!parsed.ok) return parsed;
  const { value: chat } = parsed;
  const given = isObject(body) ? body['project_id'] : null;
  const projectId = typeof given === 'string' ? given : null;
  return { ok: true, value: { model: chat.model, stream: chat.stream, chat, projectId } };
}

function toChatForm({ findKeeper }: ChatDeps): AnswerForm<ProjectChat> {
  const toChatRun = ({ request: { chat, projectId }, load, ...run }: Run<ProjectChat>): ChatRun => ({
    ...run,
    request: chat,
    async load() {
      const model = await load();
      const keep = await findKeeper?.(model.id, projectId);
      return keep ? toKeptModel(model, keep) : model;
    },
  });
  return {
    prefix: 'chatcmpl-',
    collect: (run) => collectCompletion(toChatRun(run)),
    write: (run, stream) => writeChunks(toChatRun(run), stream),
  };
}

/** A route that takes requests which `parse` reads, and answers in a form. */
export function toAskRoute<Request extends Askable>(
  deps: ChatDeps,
  endpoint: Endpoint,
  parse: (body: unknown) => ParsedAs<Request>,
  form: AnswerForm<Request>,
): Route {
  const bodies = deps.bodies ?? openMemoryBudget(CHAT_BODY_BYTES);
  return toRoute(endpoint, ({ context }) =>
    withRequest(context, bodies, parse, (request) => answerWith(deps, context, request, form)),
  );
}

export const toChatRoute = (deps: ChatDeps): Route =>
  toAskRoute(deps, STUDIO.createChatCompletion, parseProjectChat, toChatForm(deps));
