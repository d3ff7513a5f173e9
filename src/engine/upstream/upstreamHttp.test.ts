// The key must not leave this process, in whatever form the server repeats it.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { openUpstreamHttp } from './upstreamHttp.ts';

const KEY = 'sk-very/secret+key';
const http = openUpstreamHttp('http://127.0.0.1:1', KEY);
afterAll(() => http.close());

it.each([
  ['plain', KEY],
  ['in an address', encodeURIComponent(KEY)],
  ['in base64', Buffer.from(`user:${KEY}`).toString('base64')],
  ['escaped in JSON', JSON.stringify({ error: KEY }).replace('s', String.raw`\u0073`)],
])('takes the key out of an error: %s', (_form, text) => {
  const redacted = http.redact(text);
  expect(redacted).toContain('…');
  expect(decodeURIComponent(redacted)).not.toContain('secret');
  expect(Buffer.from(redacted, 'base64').toString()).not.toContain('secret');
});

it('leaves texts alone when there is no key', () => {
  for (const key of [null, '']) {
    const open = openUpstreamHttp('http://127.0.0.1:1', key);
    expect(open.redact('any text')).toBe('any text');
    open.close();
  }
});

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** A server that does with each request what `answers` says, by the number of its connection and of its request there. */
async function openServer(answers: (connection: number, request: number, socket: Socket) => void) {
  let connections = 0;
  const server = createServer((socket) => {
    const connection = (connections += 1);
    let requests = 0;
    socket.on('error', () => undefined).on('data', () => answers(connection, (requests += 1), socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const open = openUpstreamHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, null);
  const ask = async (): Promise<number | undefined> => {
    const timeouts = { connectMs: 20_000, idleMs: 20_000 };
    const call = { method: 'GET', path: '/models', timeouts, signal: new AbortController().signal } as const;
    const response = await open.send(call);
    await response.toArray();
    return response.statusCode;
  };
  const close = (): void => {
    open.close();
    server.close();
  };
  return { ask, close, count: () => connections };
}

it('asks again on another connection when a kept one was closed just as it was used again', async () => {
  const { ask, close, count } = await openServer((_, request, socket) =>
    request === 1 ? socket.write(ANSWER) : socket.resetAndDestroy(),
  );
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200]);
  expect(count()).toBe(3);
  close();
});

it('does not ask again when a new connection breaks', async () => {
  const { ask, close, count } = await openServer((_, __, socket) => socket.resetAndDestroy());
  await expect(ask()).rejects.toMatchObject({ status: 503, code: 'engine_unreachable' });
  expect(count()).toBe(1);
  close();
});
