// Passes on an error of the remote studio in its own words: read whole, within a size limit, without the key.
import { parseJson } from '#core/contract/readJson.ts';
import type { IncomingMessage } from 'node:http';
import { readError, toErrorEnvelope } from '#core/contract/errors.ts';
import { readText } from '#engine/upstream/upstreamHttp.ts';
import { toPassedHeaders } from './passOn.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { Upstream } from './upstream.ts';
import { toCut, toForbidden, toSilent } from './upstreamFailure.ts';

/** Nobody reads a longer error, and a text that is cut off can't be searched for the key. */
const MAX_BYTES = 64 * 1024;
/** A short text that isn't complete after this time never will be. */
const MAX_MS = 60_000;
const BODILESS: ReadonlySet<number> = new Set([204, 205]);

const isCompressed = (answer: IncomingMessage): boolean =>
  (answer.headers['content-encoding'] ?? 'identity') !== 'identity';

/** At most `limit` bytes of the body. Throws HttpProblem 502 when they don't arrive within `maxMs`. */
async function readWithin(answer: IncomingMessage, origin: string, limit: number, maxMs: number): Promise<string> {
  const timer = setTimeout(() => answer.destroy(toSilent(origin, maxMs)), maxMs);
  return readText(answer, limit)
    .catch((error: unknown) => {
      throw error instanceof HttpProblem ? error : toCut(origin);
    })
    .finally(() => clearTimeout(timer));
}

/** The body without the key; null when it can't be searched for it. */
async function readBody(answer: IncomingMessage, { origin, redact }: Upstream): Promise<string | null> {
  if (isCompressed(answer)) return null;
  const text = await readWithin(answer, origin, MAX_BYTES + 1, MAX_MS);
  return Buffer.byteLength(text) > MAX_BYTES ? null : redact(text);
}

function toHeaders(answer: IncomingMessage, { redact }: Upstream): Headers {
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  for (const [name, value] of Object.entries(toPassedHeaders(answer.headers))) {
    if (name !== 'etag' && name !== 'content-encoding' && redact(value) === value) headers.set(name, value);
  }
  return headers;
}

/** The remote's answer with a status that is not a success. Throws HttpProblem 502 when it breaks off. */
export async function toRemoteError(answer: IncomingMessage, upstream: Upstream): Promise<Response> {
  const status = answer.statusCode ?? 502;
  const headers = toHeaders(answer, upstream);
  if (BODILESS.has(status)) return new Response(null, { status, headers });
  const body = await readBody(answer, upstream);
  if (body !== null) return new Response(body, { status, headers });
  answer.destroy();
  headers.set('Content-Type', 'application/json');
  const message =
    `The remote studio at ${upstream.origin} answered with status ${status} and a text that is too long, or ` +
    'compressed unasked, to be passed on. Its own log says more.';
  return new Response(JSON.stringify(toErrorEnvelope(status, message, { code: 'remote_error' })), { status, headers });
}

/** What services answer to a path that they do not have, and the codes of those that say so. */
const NOT_OFFERED: ReadonlySet<number> = new Set([404, 405, 501]);
const NO_CODE: ReadonlySet<string | null> = new Set([null, 'not_found', 'method_not_allowed', 'not_implemented']);

/** The same for a request beside SPEC: an answer that may mean that the remote has no such endpoint says so. */
export async function toOptionalError(answer: IncomingMessage, upstream: Upstream, asked: string): Promise<Response> {
  const { statusCode: status = 502 } = answer;
  const response = await toRemoteError(answer, upstream);
  if (!NOT_OFFERED.has(status)) return response;
  const said = await response.clone().text();
  const { code, message } = readError(parseJson(said, said), 'It did not say why.');
  if (!NO_CODE.has(code)) return response;
  const text =
    `The remote studio at ${upstream.origin} answered ${asked} with status ${status}: it may not offer this, or not have ` +
    `what the request names. Do it in that studio. It said: ${message}`;
  const { headers } = response;
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(toErrorEnvelope(status, text, { code: 'remote_not_offered' })), {
    status,
    headers,
  });
}

/** Turns a 403 of the remote into a problem. Its reason stays unknown when it doesn't arrive within `maxMs`. */
export async function readForbidden(answer: IncomingMessage, upstream: Upstream, maxMs: number): Promise<HttpProblem> {
  const { origin, redact } = upstream;
  const text = isCompressed(answer) ? '' : await readWithin(answer, origin, MAX_BYTES, maxMs).catch(() => '');
  answer.destroy();
  return toForbidden(origin, text, redact);
}
