// Readers that take nothing, senders that fall silent, and more connections than there may be, over real sockets.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import type { ConnectionLimits } from './connectionLimits.ts';
import { openServer, type HttpServer } from '#app/server/server.ts';
import { atEnd } from '#service/files/keep.fixture.ts';

/** Milliseconds. A busy machine may take a tenth of a second to bring bytes from one end to the other. */
const stallMs = 250;

async function open(
  limits: ConnectionLimits,
  answer: (outgoing: ServerResponse, url: string, incoming: IncomingMessage) => void,
): Promise<HttpServer> {
  const http = await openServer({ host: '127.0.0.1', port: 0, random: () => 'id', limits });
  atEnd(() => http.close(0));
  expect(http.server.timeout).toBe(limits.stallMs);
  // A connection's time begins with its request here, not with the dialling.
  http.server.timeout = 0;
  // Behind the limits, in the place of the application.
  const listeners = http.server.listeners('request');
  http.server.removeAllListeners('request');
  http.server.on('request', listeners[1] as () => void);
  http.server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    incoming.socket.setTimeout(limits.stallMs);
    answer(outgoing, incoming.url ?? '', incoming);
  });
  return http;
}

async function dial({ port }: HttpServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  atEnd(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const get = (socket: Socket, path: string): boolean => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

describe('a reader that takes nothing', () => {
  it('is dropped, however the answer is written', async () => {
    const http = await open({ maxConnections: 10, stallMs }, (outgoing, url) => {
      outgoing.writeHead(200);
      if (url === '/whole') outgoing.end(Buffer.alloc(64 * 1024 * 1024));
      else for (let part = 0; part < 64; part += 1) outgoing.write(Buffer.alloc(1024 * 1024));
    });
    for (const path of ['/whole', '/parts']) {
      const socket = await dial(http);
      const [connection] = await Promise.all([once(http.server, 'request'), get(socket, path)]);
      // Without a limit this never comes.
      await once(connection[1] as ServerResponse, 'close');
      expect((connection[0] as IncomingMessage).socket.destroyed).toBe(true);
    }
  });

  it('is not a reader whose answer takes longer than that to be made', async () => {
    let rounds = 0;
    const http = await open({ maxConnections: 10, stallMs }, (outgoing) => {
      // The connection's own timer is what decides: the answer ends after it has fired three times.
      outgoing.socket?.on('timeout', () => {
        rounds += 1;
        if (rounds === 3) outgoing.end('done');
      });
    });
    const socket = await dial(http);
    get(socket, '/slow');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toContain('done');
  });
});

describe('a reader that takes little', () => {
  function* repeat(): Generator<Buffer> {
    for (;;) yield Buffer.alloc(256 * 1024);
  }

  /** Writes as long as somebody reads. */
  const writeAll = (outgoing: ServerResponse): void =>
    void pipeline(Readable.from(repeat()), outgoing).catch(() => undefined);

  it('is dropped when that goes on for ten rounds', async () => {
    const limits = { maxConnections: 10, stallMs: 50, paceBytes: Number.MAX_SAFE_INTEGER };
    const http = await open(limits, (outgoing) => {
      // What is slow here is slow enough for the other rule, too.
      outgoing.socket?.setTimeout(60_000);
      writeAll(outgoing);
    });
    const socket = await dial(http);
    let taken = 0;
    socket.on('data', (data: Buffer) => (taken += data.length));
    get(socket, '/endless');
    await once(socket, 'close');
    expect(taken).toBeGreaterThan(1024 * 1024);
  });

  it('is not one who takes all there is, or as much as it has to', async () => {
    const http = await open({ maxConnections: 10, stallMs: 20, paceBytes: 1 }, (outgoing, url) => {
      outgoing.socket?.setTimeout(60_000);
      if (url === '/all') writeAll(outgoing);
      else setTimeout(() => outgoing.end('done'), 600);
    });
    const [all, late] = [await dial(http), await dial(http)];
    all.resume();
    get(all, '/all');
    get(late, '/late');
    const [data] = (await once(late, 'data')) as [Buffer];
    expect(data.toString()).toContain('done');
    expect(all.destroyed).toBe(false);
  });
});

describe('a sender that falls silent within a body', () => {
  const post = (socket: Socket, bytes: number): boolean =>
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${1024 * 1024}\r\n\r\n${'x'.repeat(bytes)}`);

  it('is dropped at the second round without a byte', async () => {
    let rounds = 0;
    const http = await open({ maxConnections: 10, stallMs }, (outgoing, _, incoming) => {
      outgoing.socket?.on('timeout', () => (rounds += 1));
      incoming.on('error', () => undefined).resume();
    });
    const socket = await dial(http);
    post(socket, 100 * 1024);
    await once(socket, 'close');
    expect(rounds).toBe(2);
  });

  it('is not a sender who goes on after one round', async () => {
    let rounds = 0;
    const http = await open({ maxConnections: 10, stallMs }, (outgoing, _, incoming) => {
      outgoing.socket?.on('timeout', () => {
        rounds += 1;
        if (rounds === 4) outgoing.end('done');
        else socket.write('x');
      });
      incoming.resume();
    });
    const socket = await dial(http);
    post(socket, 1);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toContain('done');
  });

  it('is not a sender whose bytes the service does not take', async () => {
    let rounds = 0;
    const http = await open({ maxConnections: 10, stallMs }, (outgoing, _, incoming) => {
      outgoing.socket?.on('timeout', () => {
        rounds += 1;
        if (rounds < 4) return;
        // Bytes that nobody has read would reset the connection, and the answer with it.
        incoming.resume();
        outgoing.end('done');
      });
    });
    const socket = await dial(http);
    post(socket, 512 * 1024);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toContain('done');
  });
});

describe('more connections than there may be', () => {
  it('are refused, and idle ones make room for the next', async () => {
    const http = await open({ maxConnections: 2, stallMs: 60_000 }, (outgoing) => outgoing.end('ok'));
    const idle = [await dial(http), await dial(http)];
    for (const socket of idle) await Promise.all([once(socket, 'data'), get(socket, '/')]);
    const gone = idle.map((socket) => once(socket, 'close'));
    const refused = connect(http.port, '127.0.0.1');
    refused.on('error', () => undefined);
    await Promise.all([once(refused, 'close'), ...gone]);
    const next = await dial(http);
    const [[data]] = (await Promise.all([once(next, 'data'), get(next, '/')])) as [[Buffer], boolean];
    expect(data.toString()).toContain('200 OK');
  });
});
