// Sends one request and reads its answer; every problem becomes an ApiFailure. Same origin only: the browser adds the
// sign-in cookie, and this code never sees a token.
import { parseJson } from '#core/contract/readJson.ts';
import { type ApiFailure, toAborted, toHttpFailure, toNetworkFailure, toShapeFailure } from './failure.ts';
import { announceUnreachable } from './reachability.ts';

/** Where and how requests go. Tests pass their own. */
export interface Connection {
  /** Prefix of each path; empty for the page's own origin. */
  readonly baseUrl: string;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

export const SAME_ORIGIN: Connection = { baseUrl: '', now: () => Date.now() };

/** Observes the traffic as it happens. It must not throw. */
export interface WireTap {
  /** The request, as passed to the browser. */
  readonly onSent: (sent: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }) => void;
  readonly onHead: (head: { readonly status: number; readonly headers: Headers }) => void;
  /** The next piece of the answer's body. */
  readonly onText: (text: string) => void;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How long to wait for the answer's head, and then for each piece of a body that is read here. */
  readonly timeoutMs?: number;
  readonly connection?: Connection;
  readonly tap?: WireTap | undefined;
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
}

export interface TextAnswer extends AnswerHead {
  readonly text: string;
}

/** Processes an answer's text while it arrives. */
export interface PieceReader<T> {
  /** The next piece waits until this one is processed. */
  take(piece: string): Promise<void> | void;
  /** True: nothing more is needed. The rest of the answer is not read. */
  isDone?(): boolean;
  /** Called once the whole answer has arrived, or the reader is done; only then. */
  end(): Promise<T> | T;
}

const TIMEOUT_MS = 30_000;

interface Deadline {
  readonly signal: AbortSignal;
  /**
   * The head has arrived: from now on the deadline is for the next piece of the body. Stops the clock until `restart`.
   */
  onHead(): void;
  /** Restarts the clock. */
  restart(): void;
  /** Stops the clock. */
  clear(): void;
  toFailure(error: unknown): Error;
}

/** One signal for "stopped" and "took too long"; `toFailure` tells them apart. The clock starts at once. */
function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const lateController = new AbortController();
  let hasHead = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = (): void => clearTimeout(timer);
  const restart = (): void => {
    clear();
    timer = setTimeout(() => lateController.abort(), timeoutMs);
  };
  restart();
  return {
    signal: outer ? AbortSignal.any([outer, lateController.signal]) : lateController.signal,
    onHead: () => {
      hasHead = true;
      clear();
    },
    restart,
    clear,
    toFailure: (error) => {
      if (outer?.aborted === true) return toAborted();
      const duration = `${Math.round(timeoutMs / 1000)} s`;
      if (lateController.signal.aborted)
        return toNetworkFailure(
          hasHead
            ? `The answer broke off: nothing more came for ${duration}.`
            : `The studio did not answer within ${duration}.`,
          true,
        );
      const details = error instanceof Error && error.message !== '' ? ` (${error.message})` : '';
      return hasHead
        ? toNetworkFailure(`The answer was cut off before it was complete${details}.`, true)
        : toNetworkFailure(`The studio can't be reached${details}.`);
    },
  };
}

function send(path: string, options: RequestOptions, signal: AbortSignal): Promise<Response> {
  const { method = 'GET', connection = SAME_ORIGIN, tap } = options;
  const headers =
    options.body === undefined ? { ...options.headers } : { 'content-type': 'application/json', ...options.headers };
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  tap?.onSent({ method, path, headers, body: body ?? '' });
  return fetch(`${connection.baseUrl}${path}`, {
    method,
    signal,
    credentials: 'same-origin',
    // projectAnswer.ts makes its own conditional requests: a 304 has to reach it, and answers hold private data.
    cache: 'no-store',
    headers,
    body,
  });
}

async function throwIfFailed(response: Response, connection: Connection, tap?: WireTap): Promise<void> {
  if (response.status < 400) return;
  const text = await response.text().catch(() => '');
  tap?.onText(text);
  throw toHttpFailure(response.status, response.headers, text, connection.now());
}

const BUFFER_BYTES = 256 * 1024;

interface Body {
  /** The next bytes, valid until the next call; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Cancels the rest of the body. */
  leave(): void;
}

/**
 * Reuses one buffer where the browser can. Otherwise 20 MB of buffers would be collected just when the answer is shown.
 */
function openBody(body: ReadableStream<Uint8Array<ArrayBuffer>>): Body {
  // A failed body rejects here again with the error of its read.
  const leave = (reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader) => (): void =>
    void reader.cancel().catch(() => undefined);
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    const plain = body.getReader();
    return { read: async () => (await plain.read()).value, leave: leave(plain) };
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  const read = async (): Promise<Uint8Array | undefined> => {
    const { value, done } = await reader.read(new Uint8Array(buffer));
    if (done) return undefined;
    buffer = value.buffer;
    return value;
  };
  return { read, leave: leave(reader) };
}

/** Reads the next bytes before the deadline. Processing them doesn't count. */
async function readInTime(body: Body, deadline: Deadline): Promise<Uint8Array | undefined> {
  deadline.restart();
  try {
    return await body.read();
  } catch (error) {
    throw deadline.toFailure(error);
  } finally {
    deadline.clear();
  }
}

/** Decodes like response.text(), but piece by piece: decoding 20 MB at once would block the page. */
async function readPieces(response: Response, to: PieceReader<unknown>, deadline: Deadline): Promise<void> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  const body = openBody(response.body);
  try {
    for (let bytes = await readInTime(body, deadline); bytes; bytes = await readInTime(body, deadline)) {
      await to.take(decoder.decode(bytes, { stream: true }));
      if (to.isDone?.() === true) return body.leave();
    }
  } catch (error) {
    body.leave();
    throw error;
  }
  await to.take(decoder.decode());
}

/**
 * Sends a request and reads the answer while it arrives. Status < 400, including 304. Throws ApiFailure, also for an
 * answer that is cut off.
 */
export async function requestPieces<T>(
  path: string,
  options: RequestOptions,
  toReader: (head: AnswerHead) => PieceReader<T>,
): Promise<T> {
  const deadline = startDeadline(options.timeoutMs ?? TIMEOUT_MS, options.signal);
  try {
    const response = await send(path, options, deadline.signal).catch((error: unknown) => {
      throw deadline.toFailure(error);
    });
    await throwIfFailed(response, options.connection ?? SAME_ORIGIN);
    deadline.onHead();
    const reader = toReader(response);
    await readPieces(response, reader, deadline);
    return await reader.end();
  } finally {
    deadline.clear();
  }
}

/** Sends a request and reads the whole answer as text. Throws as requestPieces does. */
export function requestText(path: string, options: RequestOptions = {}): Promise<TextAnswer> {
  return requestPieces(path, options, ({ status, headers }) => {
    const parts: string[] = [];
    return {
      take: (piece) => {
        parts.push(piece);
      },
      end: () => ({ status, headers, text: parts.join('') }),
    };
  });
}

/** The failure for an answer that is no JSON. */
function toNoJsonFailure({ status, headers }: AnswerHead, text: string): ApiFailure {
  const start = text.replace(/\s+/g, ' ').trim().slice(0, 80);
  return toShapeFailure(status, headers, start === '' ? 'the answer is empty' : `it is not JSON: ${start}`);
}

/** Reads an answer's text as JSON; throws ApiFailure of kind `shape`. */
export function readJson(answer: TextAnswer): unknown {
  const value = parseJson(answer.text);
  if (value === undefined) throw toNoJsonFailure(answer, answer.text);
  return value;
}

/**
 * Sends a request and returns the answer as soon as its head has arrived. The caller reads the body. Throws ApiFailure.
 */
export async function requestStream(path: string, options: RequestOptions): Promise<Response> {
  const deadline = startDeadline(options.timeoutMs ?? TIMEOUT_MS, options.signal);
  try {
    const response = await send(path, options, deadline.signal).catch((error: unknown) => {
      const failure = deadline.toFailure(error);
      if (options.signal?.aborted !== true) announceUnreachable();
      throw failure;
    });
    options.tap?.onHead(response);
    await throwIfFailed(response, options.connection ?? SAME_ORIGIN, options.tap);
    return response;
  } finally {
    deadline.clear();
  }
}
