// Reads a request's JSON body within fixed bounds. Every fault becomes a 4xx that says what to change; none ends the
// process.
import { parseJson } from '#core/contract/readJson.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findJsonProblem, isTextDeeperThan } from '#core/contract/jsonText.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { HttpProblem } from './httpProblem.ts';
import type { MemoryBudget } from './memoryBudget.ts';

/** Retry-After of a request over the memory budget. Answers end all the time, but nobody knows which is next. */
const RETRY_SECONDS = 5;

/** Throws 415 unless the body is declared as JSON, which a form of another site can't do. */
export function checkContentType(header: string | undefined): void {
  const [type = '', ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (type !== 'application/json' || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')) {
    throw new HttpProblem(415, 'Send the body as JSON in UTF-8, with the header "Content-Type: application/json".', {
      code: 'unsupported_media_type',
    });
  }
}

/** Throws 415 for a compressed body. */
export function checkEncoding(header: string | undefined): void {
  const encoding = (header ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return;
  throw new HttpProblem(
    415,
    `The request body has the Content-Encoding "${encoding.slice(0, 40)}", which this studio does not read. Send the body ` +
      'uncompressed, without that header.',
    { code: 'unsupported_encoding', headers: { 'Accept-Encoding': 'identity' } },
  );
}

const tooLarge = (limit: number): HttpProblem =>
  new HttpProblem(
    413,
    `The request body is larger than ${Math.floor(limit / 1024)} KiB, which is the most this studio takes. Shorten it.`,
    { code: 'body_too_large' },
  );

const tooSlow = (seconds: number): HttpProblem =>
  new HttpProblem(408, `The request body did not arrive within ${seconds} s. Send it again.`, {
    code: 'body_too_slow',
  });

const overBudget = (): HttpProblem =>
  new HttpProblem(
    429,
    `The studio holds as many long requests as it has memory for. Send this request again in ${RETRY_SECONDS} s.`,
    { code: 'too_many_bytes_waiting', headers: { 'Retry-After': String(RETRY_SECONDS) } },
  );

/** Whoever sends nothing for so long waits for an answer. */
const PAUSE_MS = 2_000;

/** What is taken of a refused body before the answer: eight of the largest, also of a caller without a token. */
export const REST = { maxBytes: 8 * REQUEST_LIMITS.bodyBytes, maxMs: 30_000 };

interface RestLimits {
  readonly maxBytes: number;
  readonly maxMs?: number;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Takes and drops what comes, until that is all, or nothing comes for a while, or it is more than the limits. */
function drop(incoming: IncomingMessage, { maxBytes, maxMs }: RestLimits): Promise<'all' | 'pause' | 'limit'> {
  return new Promise((resolve) => {
    let left = maxBytes;
    const stop = (why: 'pause' | 'limit') => (): void => {
      clearTimeout(pause);
      clearTimeout(end);
      incoming.off('data', take).off('end', over).off('close', over);
      resolve(incoming.complete ? 'all' : why);
    };
    const over = stop('pause');
    const pause = setTimeout(over, PAUSE_MS);
    const end = maxMs === undefined ? undefined : setTimeout(stop('limit'), maxMs);
    const take = ({ length }: Buffer): void => {
      left -= length;
      if (left < 0) stop('limit')();
      else pause.refresh();
    };
    incoming.on('data', take).on('end', over).on('close', over).resume();
  });
}

/** Bodies whose rest was waited for: nobody waits twice. */
const rests = new WeakSet<IncomingMessage>();

/**
 * Takes and drops the rest of a refused body. Many clients read no answer before they have sent everything, and a
 * connection that closes before takes the answer with it. Who pauses is answered at once; then the connection closes.
 * So does that of one who sends more than `limits`, or for longer. `beside`: what is taken after that while the answer goes
 * out, for a sender that stops when it reads it.
 */
export async function dropRest(
  { incoming, outgoing }: Exchange,
  limits: RestLimits,
  beside: RestLimits | null = null,
): Promise<void> {
  if (incoming.complete || incoming.destroyed || rests.has(incoming)) return;
  rests.add(incoming);
  const why = await drop(incoming, limits);
  if (why === 'all') return;
  if (why === 'limit' && beside !== null) void dropBeside({ incoming, outgoing }, beside);
  else outgoing.shouldKeepAlive = false;
}

async function dropBeside({ incoming, outgoing }: Exchange, limits: RestLimits): Promise<void> {
  const answered = new Promise((resolve) => outgoing.once('close', resolve));
  if ((await drop(incoming, limits)) === 'all') return;
  await answered;
  incoming.destroy();
}

/** Call for each request: takes the rest of a body that nobody has read once its answer is out. */
export function dropUnread({ incoming, outgoing }: Exchange): void {
  outgoing.once('finish', () => {
    if (incoming.complete || incoming.destroyed || rests.has(incoming)) return;
    rests.add(incoming);
    void dropBeside({ incoming, outgoing }, REST);
  });
}

export interface ReadOptions {
  /** How long the body may take to arrive. */
  readonly maxMs?: number;
  /**
   * The memory budget. Bytes are reserved as they arrive. The caller releases the length of the result; after a
   * failure readBytes does.
   */
  readonly budget?: MemoryBudget;
}

/**
 * The bytes of the body. Throws 413 as soon as there are more than `limit`, 408 after `maxMs`, and 429 when they exceed
 * the memory budget.
 */
export async function readBytes(
  incoming: IncomingMessage,
  limit: number,
  { maxMs, budget }: ReadOptions = {},
): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    let reserved = 0;
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      incoming.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      settle();
    };
    const fail = (problem: HttpProblem): void =>
      finish(() => {
        budget?.release(reserved);
        reject(problem);
      });
    const onTimeout = (): void => fail(tooSlow((maxMs ?? 0) / 1000));
    const timer = maxMs === undefined ? undefined : setTimeout(onTimeout, maxMs);
    const onData = (part: Buffer): void => {
      length += part.length;
      if (length > limit) return fail(tooLarge(limit));
      if (budget && !budget.reserve(part.length)) return fail(overBudget());
      reserved = length;
      parts.push(part);
    };
    const onEnd = (): void => finish(() => resolve(Buffer.concat(parts, length)));
    const onCut = (): void =>
      fail(
        new HttpProblem(400, 'The connection closed before the whole body had arrived.', { code: 'body_incomplete' }),
      );
    incoming.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

/** Bytes -> JSON value; 400 for bytes that are not UTF-8, not JSON or nested too deeply. */
export function parseBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  if (isTextDeeperThan(text, REQUEST_LIMITS.jsonDepth)) {
    throw new HttpProblem(
      400,
      `The request body nests deeper than ${REQUEST_LIMITS.jsonDepth} levels, which is the most this studio takes.`,
      { code: 'body_too_deep' },
    );
  }
  const value = parseJson(text);
  if (value !== undefined) return value;
  const reason = text.trim() === '' ? 'it is empty' : (findJsonProblem(text) ?? 'it can not be read');
  throw new HttpProblem(400, `The request body is not JSON: ${reason}.`, { code: 'invalid_json' });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, 'The request body is not UTF-8 text. Send JSON in UTF-8.', { code: 'invalid_utf8' });
  }
}

/** Content type, size, UTF-8, depth, JSON: in this order. Throws HttpProblem 400, 408, 413 or 415. */
export async function readJsonBody(
  incoming: IncomingMessage,
  limit: number = REQUEST_LIMITS.bodyBytes,
  options: Omit<ReadOptions, 'budget'> = {},
): Promise<unknown> {
  checkContentType(incoming.headers['content-type']);
  return parseBody(await readBytes(incoming, limit, options));
}
