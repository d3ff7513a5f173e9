// Requests over real HTTP.
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readJson, requestStream, requestText, type Connection } from './request';
import { signIn, signOut } from './signIn';
import { keepServers, openTestServer } from './testServer';

const open = keepServers();
const serve = (listener: RequestListener): Promise<Connection> => open(createServer(listener));

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('what is sent', () => {
  it('sends JSON with its type, and a GET without either', async () => {
    const seen: unknown[] = [];
    const connection = await serve((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['content-type'], body]);
        response.end('{}');
      });
    });
    await requestText('/api/a', { connection });
    await requestText('/api/b', { connection, method: 'POST', body: { a: 'ü' } });
    await signIn('secret', connection);
    await signOut(connection);
    expect(seen).toEqual([
      ['GET', '/api/a', undefined, ''],
      ['POST', '/api/b', 'application/json', '{"a":"ü"}'],
      ['POST', '/api/session', 'application/json', '{"token":"secret"}'],
      ['DELETE', '/api/session', undefined, ''],
    ]);
  });
});

describe('what goes wrong', () => {
  it('is an http failure with all that the answer says', async () => {
    const connection = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': '3', 'x-request-id': 'r1' });
      response.end('{"error":{"message":"Too many.","code":"rate_limited","param":null}}');
    });
    await expect(requestText('/', { connection })).rejects.toMatchObject({ kind: 'http', status: 429, message: 'Too many.', code: 'rate_limited', retryAfterMs: 3000, requestId: 'r1' });
    await expect(requestStream('/', { connection })).rejects.toMatchObject({ kind: 'http', status: 429, message: 'Too many.' });
  });

  it('is a network failure when nobody answers', async () => {
    const { connection, close } = await openTestServer(createServer());
    await close();
    await expect(requestText('/', { connection })).rejects.toMatchObject({ kind: 'network', status: null, message: expect.stringMatching(/^The studio can't be reached/) });
  });

  it.each<[string, RequestListener]>([
    ['before the head', (request) => request.socket.destroy()],
    ['in the body', (request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"a":', () => request.socket.destroy());
    }],
  ])('is a network failure when the connection is cut %s', async (_when, listener) => {
    const connection = await serve(listener);
    await expect(requestText('/', { connection })).rejects.toMatchObject({ kind: 'network' });
  });

  it.each<[string, RequestListener]>([
    ['no head', () => undefined],
    ['half a body', (_request, response) => void response.write('{')],
  ])('is a network failure when there is %s in time', async (_what, listener) => {
    const connection = await serve(listener);
    await expect(requestText('/', { connection, timeoutMs: 100 })).rejects.toMatchObject({ kind: 'network', message: 'The studio did not answer within 0 s.' });
  });

  it.each([
    ['<!doctype html>\n<p>Sign in', 'The service answered, but it is not JSON: <!doctype html> <p>Sign in.'],
    ['', 'The service answered, but the answer is empty.'],
  ])('is a shape failure when the answer is %j', async (body, message) => {
    const connection = await serve((_request, response) => response.end(body));
    await expect(requestText('/', { connection }).then(readJson)).rejects.toMatchObject({ kind: 'shape', status: 200, message });
  });
});

describe('stopping', () => {
  it.each<[string, RequestListener]>([
    ['while waiting for the head', () => undefined],
    ['while reading the body', (_request, response) => void response.write('{')],
  ])('is neutral %s, and closes the connection', async (_when, listener) => {
    const closed = deferred();
    const arrived = deferred();
    const connection = await serve((request, response) => {
      request.socket.once('close', () => closed.resolve());
      void listener(request, response);
      arrived.resolve();
    });
    const stop = new AbortController();
    const request = requestText('/', { connection, signal: stop.signal });
    await arrived.promise;
    stop.abort();
    await expect(request).rejects.toMatchObject({ kind: 'aborted' });
    await closed.promise;
  });

  it('sends nothing when it is stopped already', async () => {
    let requests = 0;
    const connection = await serve(() => (requests += 1));
    await expect(requestText('/', { connection, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' });
    expect(requests).toBe(0);
  });
});
