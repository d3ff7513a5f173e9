// Requests over real HTTP.
import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readJson, requestPieces, requestStream, requestText } from './request.ts';
import { signIn, signOut } from './signIn.ts';
import { connect, openTestServer } from './server.fixture.ts';

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
    const connection = await connect((request, response) => {
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
    const connection = await connect((_request, response) => {
      response.writeHead(429, { 'retry-after': '3', 'x-request-id': 'r1' });
      response.end('{"error":{"message":"Too many.","code":"rate_limited","param":null}}');
    });
    await expect(requestText('/', { connection })).rejects.toMatchObject({
      kind: 'http',
      status: 429,
      message: 'Too many.',
      code: 'rate_limited',
      retryAfterMs: 3000,
      requestId: 'r1',
    });
    await expect(requestStream('/', { connection })).rejects.toMatchObject({
      kind: 'http',
      status: 429,
      message: 'Too many.',
    });
  });

  it('is a network failure when nobody answers', async () => {
    const { connection, close } = await openTestServer(createServer());
    await close();
    await expect(requestText('/', { connection })).rejects.toMatchObject({
      kind: 'network',
      isCostly: false,
      status: null,
      message: expect.stringMatching(/^The studio can't be reached/),
    });
  });

  it.each<[string, RequestListener]>([
    ['before the head', (request) => request.socket.destroy()],
    [
      'in the body',
      (request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"a":', () => request.socket.destroy());
      },
    ],
  ])('is a network failure when the connection is cut %s', async (when, listener) => {
    const connection = await connect(listener);
    await expect(requestText('/', { connection })).rejects.toMatchObject({
      kind: 'network',
      isCostly: when === 'in the body',
    });
  });

  it('is a network failure when there is no head in time', async () => {
    const connection = await connect(() => undefined);
    await expect(requestText('/', { connection, timeoutMs: 100 })).rejects.toMatchObject({
      kind: 'network',
      isCostly: true,
      message: 'The studio did not answer within 0 s.',
    });
  });

  it('is the failure of the status when the body of an error never ends', async () => {
    const connection = await connect((_request, response) => {
      response.writeHead(503);
      response.write('{');
    });
    await expect(requestText('/', { connection, timeoutMs: 2000 })).rejects.toMatchObject({
      kind: 'http',
      status: 503,
    });
  });

  describe('by a clock that only the test moves', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    it('takes as long as a body needs that keeps coming', async () => {
      const pieces = ['a', 'b', 'c', 'd', 'e', 'f'];
      let next = (): void => undefined;
      const connection = await connect((_request, response) => {
        next = () => {
          const piece = pieces.shift();
          if (piece === undefined) response.end();
          else response.write(piece);
        };
        next();
      });
      let text = '';
      const take = (piece: string): void => {
        text += piece;
        // Once the next piece is waited for, more than half the time for it passes before it comes.
        setImmediate(() => {
          vi.advanceTimersByTime(6000);
          next();
        });
      };
      expect(await requestPieces('/', { connection, timeoutMs: 10_000 }, () => ({ take, end: () => text }))).toBe(
        'abcdef',
      );
    });

    it('breaks off where nothing more comes in time', async () => {
      const connection = await connect((_request, response) => void response.write('{'));
      const take = (): void => void setImmediate(() => vi.advanceTimersByTime(10_000));
      const request = requestPieces('/', { connection, timeoutMs: 10_000 }, () => ({ take, end: () => null }));
      await expect(request).rejects.toMatchObject({
        kind: 'network',
        isCostly: true,
        message: 'The answer broke off: nothing more came for 10 s.',
      });
    });

    it('gives what is done with a piece time of its own', async () => {
      const connection = await connect((_request, response) => response.end('abc'));
      let text = '';
      const take = (piece: string): void => {
        vi.advanceTimersByTime(60_000);
        text += piece;
      };
      expect(await requestPieces('/', { connection, timeoutMs: 10_000 }, () => ({ take, end: () => text }))).toBe(
        'abc',
      );
    });
  });

  it('lets the connection go when a piece can not be taken', async () => {
    const closed = deferred();
    const connection = await connect((request, response) => {
      request.socket.once('close', () => closed.resolve());
      response.write('{');
    });
    const take = (): void => {
      throw new Error('no');
    };
    await expect(requestPieces('/', { connection }, () => ({ take, end: () => null }))).rejects.toThrow('no');
    await closed.promise;
  });

  it.each([
    ['<!doctype html>\n<p>Sign in', 'The service answered, but it is not JSON: <!doctype html> <p>Sign in.'],
    ['', 'The service answered, but the answer is empty.'],
  ])('is a shape failure when the answer is %j', async (body, message) => {
    const connection = await connect((_request, response) => response.end(body));
    await expect(requestText('/', { connection }).then(readJson)).rejects.toMatchObject({
      kind: 'shape',
      status: 200,
      message,
    });
  });
});

describe('stopping', () => {
  it.each<[string, RequestListener]>([
    ['while waiting for the head', () => undefined],
    ['while reading the body', (_request, response) => void response.write('{')],
  ])('is neutral %s, and closes the connection', async (_when, listener) => {
    const closed = deferred();
    const arrived = deferred();
    const connection = await connect((request, response) => {
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
    const connection = await connect(() => (requests += 1));
    await expect(requestText('/', { connection, signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'aborted',
    });
    expect(requests).toBe(0);
  });
});
