// HTTP to the one OpenAI-compatible server that the operator configured: fixed paths, no redirects, explicit timeouts.
import { parseJson } from '#core/contract/readJson.ts';
import { Agent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { readError } from '#core/contract/errors.ts';
import { parseRetryAfter } from '#core/contract/retryAfter.ts';
import { toAbortError } from '#engine/abort.ts';
import { EngineError } from '#engine/engine.ts';
import { redactKey } from '#engine/redaction.ts';

export interface UpstreamTimeouts {
  /** Time until the connection is open. */
  readonly connectMs: number;
  /** Longest silence after that. With a long prompt, a busy server may need minutes for its first token. */
  readonly idleMs: number;
}

interface UpstreamCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly timeouts: UpstreamTimeouts;
  readonly signal: AbortSignal;
}

export interface UpstreamHttp {
  /** The server's origin, for messages. */
  readonly origin: string;
  /** A response with a 2xx status. Rejects with EngineError for other statuses and failures, AbortError for aborts. */
  send(call: UpstreamCall): Promise<IncomingMessage>;
  /** `text` without the key: the server may repeat the key. */
  redact(text: string): string;
  close(): void;
}

const CLOSED: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);
const MAX_ERROR_BYTES = 64 * 1024;

/** The body as text, up to `maxBytes`. */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, maxBytes);
}

/** The upstream's `Retry-After` in whole seconds; null if it has none that is valid. */
function readRetryAfter({ headers }: IncomingMessage): string | null {
  const ms = parseRetryAfter(new Headers({ 'retry-after': headers['retry-after'] ?? '' }), Date.now(), Infinity);
  return ms === null ? null : String(Math.ceil(ms / 1000));
}

/** The upstream's message, and what to do. A refused key is a 502: the operator must correct it, not the caller. */
async function toStatusError(
  response: IncomingMessage,
  origin: string,
  redact: (text: string) => string,
): Promise<EngineError> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    response.destroy();
    return new EngineError(
      `The engine at ${origin} answers with a redirect, which is not followed because the key must not go ` +
        'elsewhere. Configure its final address.',
      502,
      'upstream_redirect',
    );
  }
  const text = await readText(response, MAX_ERROR_BYTES).catch(() => '');
  const said = redact(text);
  const { message, code, param } = readError(parseJson(said, said), `HTTP status ${status}`);
  if (status === 401 || status === 403) {
    return new EngineError(
      `The engine at ${origin} refuses the key it was sent (${message}). Set STUDIO_ENGINE_KEY to a valid one.`,
      502,
      'upstream_refused',
    );
  }
  if (status === 404)
    return new EngineError(`The engine at ${origin} says: ${message}`, 404, code ?? 'model_not_found', param);
  const retryAfter = readRetryAfter(response);
  if (status === 429) {
    return new EngineError(
      `The engine at ${origin} is busy: ${message}. Try again in a moment.`,
      429,
      code ?? 'rate_limited',
      null,
      retryAfter,
    );
  }
  if (status === 413)
    return new EngineError(
      `The request is too large for the engine at ${origin}: ${message}`,
      413,
      code ?? 'request_too_large',
      param,
    );
  if (status === 503) {
    // The server runs but can't answer now: it is loading a model, or a proxy in front of it has no server to ask.
    return new EngineError(
      `The engine at ${origin} is not ready: ${message}. Try again in a moment.`,
      503,
      code ?? 'upstream_not_ready',
      null,
      retryAfter,
    );
  }
  if (status >= 400 && status < 500)
    return new EngineError(message, status === 422 ? 422 : 400, code ?? 'upstream_rejected', param);
  return new EngineError(
    `The engine at ${origin} failed: ${message}. Look at its log, then try again.`,
    502,
    code ?? 'upstream_failed',
  );
}

function toConnectionError(error: Error & { readonly code?: string }, origin: string): EngineError {
  return new EngineError(
    `The engine at ${origin} can't be reached (${error.code ?? error.message}). Start it, or correct --engine.`,
    503,
    'engine_unreachable',
  );
}

/** `baseUrl` with or without `/v1`. Throws EngineError for an invalid address. */
export function openUpstreamHttp(baseUrl: string, apiKey: string | null): UpstreamHttp {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new EngineError(
      'The address of the engine must look like http://host:port or http://host:port/v1; the key goes into ' +
        'STUDIO_ENGINE_KEY.',
      500,
      'bad_engine_address',
    );
  }
  const { origin } = url;
  const trimmed = url.pathname.replace(/\/+$/, '');
  const prefix = trimmed.endsWith('/v1') ? trimmed : `${trimmed}/v1`;
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const start = isSecure ? requestHttps : requestHttp;
  const redact = (text: string): string => (apiKey === null || apiKey === '' ? text : redactKey(text, apiKey));

  const connect = (call: UpstreamCall): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, path, body, timeouts, signal } = call;
      const text = body === undefined ? null : Buffer.from(JSON.stringify(body), 'utf8');
      const headers = {
        accept: 'application/json, text/event-stream',
        ...(text === null ? {} : { 'content-type': 'application/json', 'content-length': text.length }),
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      };
      const outgoing = start(`${origin}${prefix}${path}`, { method, headers, agent, signal });
      const cancel = (what: string): void => void outgoing.destroy(Object.assign(new Error(what), { code: what }));
      const connecting = setTimeout(() => cancel('no connection in time'), timeouts.connectMs);
      outgoing.on('socket', (socket) => {
        const onConnect = (): void => clearTimeout(connecting);
        if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', onConnect);
        else onConnect();
      });
      outgoing.setTimeout(timeouts.idleMs, () => cancel('no answer in time'));
      outgoing.on('response', resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(connecting);
        // The server closed a kept connection just when it was used again, so it has not seen the request.
        // A connection that is new is not tried again, so this comes to an end.
        if (!signal.aborted && outgoing.reusedSocket && CLOSED.has(error.code)) return resolve(connect(call));
        return reject(signal.aborted ? toAbortError(signal) : toConnectionError(error, origin));
      });
      outgoing.end(text ?? undefined);
    });

  return {
    origin,
    async send(call) {
      if (call.signal.aborted) throw toAbortError(call.signal);
      const response = await connect(call);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return response;
      throw await toStatusError(response, origin, redact);
    },
    redact,
    close: () => agent.destroy(),
  };
}
