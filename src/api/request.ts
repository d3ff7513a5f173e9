// Sends one request to the service and reads its answer; whatever goes wrong is an ApiFailure.
// Same origin only: the sign-in cookie goes along, no token is ever seen here. It must not know what is asked for.
import { toAborted, toHttpFailure, toNetworkFailure, toShapeFailure } from './failure';

/** Where and how requests go. Tests give their own. */
export interface Connection {
  /** Put before each path; empty for the page's own origin. */
  readonly baseUrl: string;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

export const SAME_ORIGIN: Connection = { baseUrl: '', now: () => Date.now() };

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How long to wait for the answer's head, and for a whole body that `requestText` reads. */
  readonly timeoutMs?: number;
  readonly connection?: Connection;
}

export interface TextAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const TIMEOUT_MS = 30_000;

interface Deadline {
  readonly signal: AbortSignal;
  clear(): void;
  toFailure(error: unknown): Error;
}

/** One signal for "stopped" and "took too long", which tells the two apart afterwards. */
function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  return {
    signal: outer ? AbortSignal.any([outer, late.signal]) : late.signal,
    clear: () => clearTimeout(timer),
    toFailure: (error) => {
      if (outer?.aborted === true) return toAborted();
      if (late.signal.aborted) return toNetworkFailure(`The studio did not answer within ${Math.round(timeoutMs / 1000)} s.`);
      const said = error instanceof Error && error.message !== '' ? ` (${error.message})` : '';
      return toNetworkFailure(`The studio can't be reached${said}.`);
    },
  };
}

function send(path: string, options: RequestOptions, signal: AbortSignal): Promise<Response> {
  const { method = 'GET', body, headers = {}, connection = SAME_ORIGIN } = options;
  return fetch(`${connection.baseUrl}${path}`, {
    method,
    signal,
    credentials: 'same-origin',
    // Conditional requests are ours (projectAnswer.ts): a 304 has to reach us, and answers hold private data.
    cache: 'no-store',
    headers: body === undefined ? { ...headers } : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function throwIfFailed(response: Response, connection: Connection): Promise<void> {
  if (response.status < 400) return;
  throw toHttpFailure(response.status, response.headers, await response.text().catch(() => ''), connection.now());
}

/** Sends a request and reads the whole answer as text. Status < 400, 304 included; throws ApiFailure. */
export async function requestText(path: string, options: RequestOptions = {}): Promise<TextAnswer> {
  const deadline = startDeadline(options.timeoutMs ?? TIMEOUT_MS, options.signal);
  try {
    const response = await send(path, options, deadline.signal).catch((error: unknown) => {
      throw deadline.toFailure(error);
    });
    await throwIfFailed(response, options.connection ?? SAME_ORIGIN);
    const text = await response.text().catch((error: unknown) => {
      throw deadline.toFailure(error);
    });
    return { status: response.status, headers: response.headers, text };
  } finally {
    deadline.clear();
  }
}

/** Reads an answer's text as JSON; throws ApiFailure of kind `shape`. */
export function readJson({ status, headers, text }: TextAnswer): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const start = text.replace(/\s+/g, ' ').trim().slice(0, 80);
    throw toShapeFailure(status, headers, start === '' ? 'the answer is empty' : `it is not JSON: ${start}`);
  }
}

/** Sends a request and gives the answer as soon as its head is here; the body is the caller's. Throws ApiFailure. */
export async function requestStream(path: string, options: RequestOptions): Promise<Response> {
  const deadline = startDeadline(options.timeoutMs ?? TIMEOUT_MS, options.signal);
  try {
    const response = await send(path, options, deadline.signal).catch((error: unknown) => {
      throw deadline.toFailure(error);
    });
    await throwIfFailed(response, options.connection ?? SAME_ORIGIN);
    return response;
  } finally {
    deadline.clear();
  }
}
