// A request to a cluster's own API. With Node's own client: Ray refuses what `fetch` of Node sends ("not allowed for browser
// traffic"), and certificates of a cluster are not those of the world.
import { request as requestHttp } from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

export interface TextRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Certificates and keys. */
  readonly tls?: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
  readonly answerMs?: number;
}

const ANSWER_MS = 30_000;
const MAX_ANSWER = 4 * 1024 * 1024;

/** What an API will refuse again. It may be told to wait, and what it asks for a permission may be away for a while. */
export const isRefused = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 408, 409, 425, 429].includes(status);

/** Throws an Error for people if there is no answer in time, or one that is too long. */
export function requestText(url: URL, request: TextRequest): Promise<TextAnswer> {
  const { method, headers = {}, body, tls = {}, answerMs = ANSWER_MS } = request;
  const sent = body === undefined ? null : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void =>
      reject(new Error(`${url.origin} does not answer (${error instanceof Error ? error.message : String(error)})`));
    const options = {
      method,
      headers: {
        ...headers,
        // Node gives the body of a DELETE no length by itself.
        ...(sent !== null && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
      },
      signal: AbortSignal.timeout(answerMs),
    };
    const open = url.protocol === 'https:' ? requestHttps(url, { ...options, ...tls }) : requestHttp(url, options);
    open.once('error', fail);
    open.once('response', (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > MAX_ANSWER) response.destroy(new Error('it sends more than an answer may have'));
        else parts.push(part);
      });
      response.once('error', fail);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
      );
    });
    open.end(sent);
  });
}
