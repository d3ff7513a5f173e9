// An OpenAI-compatible server (vLLM, SGLang, Ollama, llama-server) as an Engine.
import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { MAX_EVENT_CHARACTERS } from '#core/contract/limits.ts';
import type { ModelEntry } from '#core/contract/completion.ts';
import { arrayOr, isObject, numberOr, parseJson, textOr } from '#core/contract/readJson.ts';
import { deltaReader } from '#core/stream/deltas.ts';
import type { StreamEvent } from '#core/stream/events.ts';
import { readStream } from '#core/stream/readStream.ts';
import { thinkStep } from '#core/stream/thinkTags.ts';
import { throwIfAborted, toAbortable } from '#engine/abort.ts';
import { EngineError, toClosed, type Engine, type EngineEvent, type LoadedModel } from '#engine/engine.ts';
import { toAskedFor } from './enforceRequest.ts';
import { UpstreamEvents } from './upstreamEvents.ts';
import { openUpstreamHttp, readText, type UpstreamHttp, type UpstreamTimeouts } from './upstreamHttp.ts';
import { UpstreamModels } from './upstreamModels.ts';
import { assertSupported, toSupported } from './serverParameters.ts';
import { findRefused, listOmitted, toUpstreamBody, type OwnField } from './upstreamRequest.ts';

export interface UpstreamOptions {
  /** From the operator's configuration only, with or without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Models of a server that does not list them. */
  readonly named?: readonly string[];
  readonly timeouts?: UpstreamTimeouts;
  /** Writes one line to the operator's log. */
  readonly report?: (line: string) => void;
}

const TIMEOUTS: UpstreamTimeouts = { connectMs: 10_000, idleMs: 600_000 };
const LIST_TIMEOUT_MS = 5_000;

/** What the server lists, and the named models. That it has no list is no fault if some are named. */
async function fetchModels(
  http: UpstreamHttp,
  named: readonly string[],
  signal: AbortSignal,
): Promise<readonly ModelEntry[]> {
  const own = named.map((id): ModelEntry => ({ id, created: 0, object: 'model', owned_by: http.origin }));
  try {
    const listed = await fetchList(http, signal);
    return [...listed, ...own.filter(({ id }) => !listed.some((entry) => entry.id === id))];
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 404) throw error;
    if (own.length > 0) return own;
    throw new EngineError(
      `The engine at ${http.origin} answers, but has no list of models. Name its model with --engine-model.`,
      502,
      'upstream_lists_nothing',
    );
  }
}

async function fetchList(http: UpstreamHttp, signal: AbortSignal): Promise<readonly ModelEntry[]> {
  const timeouts = { connectMs: LIST_TIMEOUT_MS, idleMs: LIST_TIMEOUT_MS };
  const response = await http.send({ method: 'GET', path: '/models', timeouts, signal });
  let body: unknown;
  try {
    body = JSON.parse(await readText(response, MAX_EVENT_CHARACTERS));
  } catch {
    throwIfAborted(signal);
    throw new EngineError(
      `The engine at ${http.origin} sent a list of models that can't be read. Check that it is an ` +
        'OpenAI-compatible server.',
      502,
      'upstream_unreadable',
    );
  }
  return arrayOr(isObject(body) ? body['data'] : null).flatMap((entry): ModelEntry[] => {
    const id = isObject(entry) ? textOr(entry['id'], '') : '';
    if (!isObject(entry) || id === '') return [];
    return [
      {
        id,
        created: Math.floor(numberOr(entry['created'], 0)),
        object: 'model',
        owned_by: textOr(entry['owned_by'], http.origin),
        ...toSupported(entry, String(response.headers.server)),
      },
    ];
  });
}

/** Reads a whole completion: a server that does not stream sends it as JSON. */
async function* readWhole(response: IncomingMessage): AsyncGenerator<readonly StreamEvent[], void> {
  const deltas = deltaReader();
  const text = await readText(response, MAX_EVENT_CHARACTERS);
  const body = parseJson(text);
  yield isObject(body) ? deltas.pushCompletion(body) : deltas.close('The engine sent an answer that is not JSON.');
}

function readEvents(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<readonly StreamEvent[], void> {
  if ((response.headers['content-type'] ?? '').includes('application/json')) return readWhole(response);
  // Node's and the DOM's names for the same class of stream.
  const body = Readable.toWeb(response) as WebStream<Uint8Array> as unknown as ReadableStream<Uint8Array>;
  return readStream(body, { signal });
}

interface Ask {
  readonly http: UpstreamHttp;
  readonly timeouts: UpstreamTimeouts;
  /** Fields of ours that the model has refused: it is asked without them from then on. */
  readonly left: Set<OwnField>;
  readonly entry: ModelEntry;
}

/** Sends a request, again without a field of ours that the server refuses. */
async function sendChat(
  { http, timeouts, left, entry }: Ask,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  assertSupported(request, entry, http.origin);
  const without = new Set(left);
  for (;;) {
    const body = toUpstreamBody(request, without, entry.owned_by);
    try {
      const response = await http.send({ method: 'POST', path: '/chat/completions', body, timeouts, signal });
      // Only now is it known that they were what was wrong.
      for (const name of without) left.add(name);
      return response;
    } catch (error) {
      const isRefusal = error instanceof EngineError && (error.status === 400 || error.status === 422);
      const refused = isRefusal ? findRefused(request, without, error) : null;
      if (refused === null) throw error;
      without.add(refused);
    }
  }
}

async function* readAnswer(ask: Ask, request: ChatRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
  const { http, left } = ask;
  const response = await sendChat(ask, request, signal);
  const omitted = listOmitted(request, left);
  const think = thinkStep();
  const events = new UpstreamEvents(http.origin, http.redact, request.top_logprobs ?? 0);
  try {
    for await (const batch of readEvents(response, signal)) {
      for (const event of think.push(batch))
        for (const own of events.push(event))
          yield own.type === 'message-end' && omitted.length > 0 ? { ...own, omitted } : own;
      if (events.isEnded) return;
    }
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    response.destroy();
  }
}

const generate = (ask: Ask, request: ChatRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void> =>
  toAskedFor(request, readAnswer(ask, request, signal), ask.http.origin);

export interface UpstreamEngine extends Engine {
  /** What it listed last, without asking; null: it has never answered. */
  lastModels(): readonly ModelEntry[] | null;
}

/** Throws EngineError for an invalid address. Contacts the server only when models are requested. */
export function openUpstreamEngine(options: UpstreamOptions): UpstreamEngine {
  const { baseUrl, apiKey, named = [], timeouts = TIMEOUTS, report = () => undefined } = options;
  const http = openUpstreamHttp(baseUrl, apiKey);
  const closing = new AbortController();
  // Every running answer listens; Node warns of a leak above 10 listeners.
  setMaxListeners(0, closing.signal);
  /** By model, of those that it lists. */
  const refused = new Map<string, Set<OwnField>>();
  const models = new UpstreamModels({
    fetch: (signal) => fetchModels(http, named, signal),
    onChange(failure) {
      const advice = 'What it listed before stays listed; it is asked again in the background.';
      report(failure === null ? `The engine at ${http.origin} answers again.` : `${failure.message} ${advice}`);
    },
  });
  return {
    listModels: () => models.list(),
    findModel: async (name) => (await models.list()).find(({ id }) => id === name) ?? null,
    lastModels: () => models.known,
    check: () => models.check(),
    async load(model, signal): Promise<LoadedModel | null> {
      const entry = await models.find(model, signal);
      if (entry === null) return null;
      const left = refused.get(model) ?? new Set<OwnField>();
      refused.set(model, left);
      return {
        id: model,
        fingerprint: null,
        generate: (request, outer) =>
          toAbortable(
            (inner) => generate({ http, timeouts, left, entry }, { ...request, model }, inner),
            [outer, closing.signal],
          ),
      };
    },
    async close() {
      const closed = toClosed(' and ended this answer');
      closing.abort(closed);
      models.close(closed);
      http.close();
    },
  };
}
