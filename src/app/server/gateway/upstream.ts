// The HTTP client for the remote studio: the operator's base URL and key, kept-alive connections, no redirects.
// Nothing else on the way to a browser knows the key.
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { redactKey } from '#engine/redaction.ts';
import { toTimeout, toUnknownOutcome, toUnreachable } from './upstreamFailure.ts';

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Begins with `/api`; made by this service, never taken from the caller. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as it comes, and not again. */
  readonly body?: string | Readable;
  /** Whether it changes nothing, though it is no GET: a chat. */
  readonly changesNothing?: boolean;
  readonly signal: AbortSignal;
  /** How long the remote may take until its first byte, once all was sent. */
  readonly firstByteMs: number;
}

export interface Upstream {
  /** Scheme, host and port; people see it in messages. */
  readonly origin: string;
  /** Resolves with the answer's head. Throws HttpProblem 502, or AbortError when `signal` is aborted. */
  send(request: UpstreamRequest): Promise<IncomingMessage>;
  /** `text` without the key, in case the remote repeated it. */
  redact(text: string): string;
  close(): void;
}

const CONNECT_MS = 10_000;

/** Fails the request when it can't connect in time. A kept-alive connection is already open. */
function limitConnecting(request: ClientRequest, fail: () => void): void {
  request.on('socket', (socket) => {
    if (!socket.connecting) return;
    // Long silences are normal while a model works; TCP keep-alive detects a peer that has vanished.
    socket.setKeepAlive(true, 30_000);
    const timer = setTimeout(fail, CONNECT_MS);
    const done = (): void => clearTimeout(timer);
    socket.once('connect', done).once('close', done);
    request.once('close', done);
  });
}

/** Whether a second attempt can do no more than the first. All else goes once, over a connection of its own. */
const isRepeatable = ({ method, headers, body, changesNothing = false }: UpstreamRequest): boolean =>
  (method === 'GET' || changesNothing || 'idempotency-key' in headers) && typeof body !== 'object';

const isStale = (request: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

export function openUpstream(options: {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly version: string;
}): Upstream {
  const { baseUrl, apiKey, version } = options;
  const { origin } = baseUrl;
  const isTls = baseUrl.protocol === 'https:';
  const settings = { keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' as const };
  const agent = isTls ? new HttpsAgent(settings) : new HttpAgent(settings);
  const open = isTls ? httpsRequest : httpRequest;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  function attempt(outgoing: UpstreamRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = {
        ...outgoing.headers,
        authorization: `Bearer ${apiKey}`,
        'accept-encoding': 'identity',
        'user-agent': `model-studio/${version}`,
      };
      const { body } = outgoing;
      const mayRepeat = isRepeatable(outgoing);
      let isConnected = false;
      if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body));
      const request = open(new URL(prefix + outgoing.path, origin), {
        // A kept connection may end while a request is sent, and nobody knows then whether it arrived.
        agent: mayRepeat && agent,
        method: outgoing.method,
        headers,
        signal: outgoing.signal,
      });
      const fail = (problem: Error): void => {
        reject(problem);
        request.destroy();
      };
      let waiting: NodeJS.Timeout | undefined;
      const wait = (): void => {
        waiting = setTimeout(() => {
          const problem = toTimeout(origin, 'answer', outgoing.firstByteMs);
          fail(mayRepeat || !isConnected ? problem : toUnknownOutcome(origin, problem));
        }, outgoing.firstByteMs);
      };
      if (typeof body === 'object') request.on('finish', wait);
      else wait();
      limitConnecting(request, () => fail(toTimeout(origin, 'connection', CONNECT_MS)));
      request.on('socket', (socket) => socket.once(isTls ? 'secureConnect' : 'connect', () => (isConnected = true)));
      request.on('close', () => clearTimeout(waiting));
      request.on('response', (response) => {
        clearTimeout(waiting);
        resolve(response);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (outgoing.signal.aborted) reject(error);
        else if (mayRepeat && isStale(request, error)) resolve(attempt(outgoing));
        else {
          const problem = toUnreachable(origin, error);
          reject(mayRepeat || !isConnected ? problem : toUnknownOutcome(origin, problem));
        }
      });
      if (typeof body === 'object') body.on('error', fail).pipe(request);
      else request.end(body);
    });
  }

  return { origin, send: attempt, redact: (text) => redactKey(text, apiKey), close: () => agent.destroy() };
}
