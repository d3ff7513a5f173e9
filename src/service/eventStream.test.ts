// Streams over a real connection: headers, heartbeats, back-pressure, readers who stall or leave.
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toEventStream } from './eventStream';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Pair {
  readonly outgoing: ServerResponse;
  /** The reader's side; resolves when headers have arrived. */
  readonly head: Promise<IncomingMessage>;
}

/** A request that waits for the test to answer. */
async function openPair(): Promise<Pair> {
  const server = createServer();
  servers.push(server);
  const arrived = new Promise<ServerResponse>((resolve) => {
    server.on('request', (_, outgoing: ServerResponse) => resolve(outgoing));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    }).on('error', reject);
  });
  head.catch(() => undefined);
  return { outgoing: await arrived, head };
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response) text += String(part);
  return text;
}

const CALM = { heartbeatMs: 60_000, stallMs: 60_000 };

describe('an event stream', () => {
  it('sends its headers at once, before any event', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    expect(stream.isOpen).toBe(false);
    stream.open();
    const { statusCode, headers } = await head;
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' });
    expect(stream.isOpen).toBe(true);
    stream.end('');
  });

  it('opens once', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    stream.open();
    stream.open();
    stream.end('data: 1\n\n');
    expect(await readAll(await head)).toBe('data: 1\n\n');
  });

  it('carries what is written, in order', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    stream.open();
    for (const text of ['a', 'ü', '世界']) expect(stream.write(text)).toBeNull();
    stream.end('!');
    expect(await readAll(await head)).toBe('aü世界!');
  });

  it('sends a slow stream piece by piece, and joins the pieces of a fast one', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    stream.open();
    const response = await head;
    const reads: string[] = [];
    response.on('data', (data: Buffer) => reads.push(data.toString()));
    for (let piece = 1; piece <= 3; piece += 1) {
      stream.write(`slow ${piece}.`);
      await vi.waitFor(() => expect(reads).toHaveLength(piece));
      const read = performance.now();
      while (performance.now() - read < 6) await new Promise(setImmediate);
    }
    expect(reads).toEqual(['slow 1.', 'slow 2.', 'slow 3.']);
    reads.length = 0;
    for (let piece = 0; piece < 1_000; piece += 1) stream.write(`${piece},`);
    await vi.waitFor(() => expect(reads.join('')).toMatch(/999,$/));
    expect(reads.length).toBeLessThan(10);
    expect(reads.join('')).toBe(Array.from({ length: 1_000 }, (_, piece) => `${piece},`).join(''));
    stream.end('');
  });

  it('what waits is sent with the end', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    stream.open();
    for (const text of ['a', 'b', 'c']) stream.write(text);
    stream.end('d');
    expect(await readAll(await head)).toBe('abcd');
  });

  it('beats while it is quiet', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, { heartbeatMs: 20, stallMs: 60_000 });
    stream.open();
    const response = await head;
    let text = '';
    response.on('data', (data: Buffer) => (text += data.toString()));
    await vi.waitFor(() => expect(text).toBe(': heartbeat\n\n: heartbeat\n\n'));
    stream.end('');
    await vi.waitFor(() => expect(response.complete).toBe(true));
    expect(text).toMatch(/^(?:: heartbeat\n\n)+$/);
  });

  it('does not beat while events flow', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, { heartbeatMs: 100, stallMs: 60_000 });
    stream.open();
    const response = await head;
    const started = performance.now();
    while (performance.now() - started < 350) {
      stream.write('data: 1\n\n');
      await new Promise(setImmediate);
    }
    stream.end('');
    expect(await readAll(response)).not.toContain('heartbeat');
  });

  it('asks to wait when the reader is behind, and goes on when it has caught up', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    stream.open();
    const response = await head;
    response.pause();
    let waiting: Promise<void> | null = null;
    let written = 0;
    while (!waiting) {
      waiting = stream.write('x'.repeat(100_000));
      written += 100_000;
    }
    let isBack = false;
    void waiting.then(() => (isBack = true));
    response.resume();
    await vi.waitFor(() => expect(isBack).toBe(true));
    expect(outgoing.destroyed).toBe(false);
    expect(outgoing.listenerCount('drain')).toBe(0);
    stream.end('');
    expect(written).toBeGreaterThan(0);
  });

  it('drops a reader who takes nothing', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, { heartbeatMs: 60_000, stallMs: 50 });
    stream.open();
    (await head).pause();
    for (let waiting: Promise<void> | null = null; !outgoing.destroyed; waiting = stream.write('x'.repeat(1_000_000))) await waiting;
    expect(outgoing.destroyed).toBe(true);
  });

  it('a reader who leaves ends the wait', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    stream.open();
    const response = await head;
    response.pause();
    let waiting: Promise<void> | null = null;
    while (!waiting) waiting = stream.write('x'.repeat(1_000_000));
    response.destroy();
    await waiting;
    expect(stream.write('more')).toBeNull();
    expect(() => stream.end('last')).not.toThrow();
  });

  it('does nothing for a reader who left before it opened', async () => {
    const { outgoing } = await openPair();
    outgoing.destroy();
    const stream = toEventStream(outgoing, CALM);
    stream.open();
    expect(stream.isOpen).toBe(false);
    expect(stream.write('a')).toBeNull();
    stream.end('b');
  });
});
