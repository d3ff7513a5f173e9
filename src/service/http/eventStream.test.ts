// Streams over a real connection: headers, heartbeats, back-pressure, readers who stall or leave.
import { EventEmitter } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { toEventStream, type StreamClock } from './eventStream.ts';
import { listen } from '#service/files/keep.fixture.ts';

interface Pair {
  readonly outgoing: ServerResponse;
  /** The reader's side; resolves when headers have arrived. */
  readonly head: Promise<IncomingMessage>;
}

/** A request that waits for the test to answer. */
async function openPair(): Promise<Pair> {
  const server = createServer();
  const arrived = new Promise<ServerResponse>((resolve) => {
    server.on('request', (_, outgoing: ServerResponse) => resolve(outgoing));
  });
  const origin = await listen(server);
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    get(origin, { agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    }).on('error', reject);
  });
  head.catch(() => undefined);
  return { outgoing: await arrived, head };
}

/** A stream that is open, with a clock that the test moves. */
async function openStream() {
  const { outgoing, head } = await openPair();
  const clock = openClock();
  const stream = toEventStream(outgoing, CALM, clock);
  stream.open();
  return { outgoing, head, clock, stream };
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response) text += String(part);
  return text;
}

const CALM = { heartbeatMs: 60_000, behindMs: 150_000 };

/** A clock that stands still until it is moved. */
function openClock(): StreamClock & { advance(ms: number): void } {
  let time = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => time,
    later(run, ms) {
      const timer = { at: time + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const until = time + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (!next) break;
        time = next.at;
        timers.delete(next);
        next.run();
      }
      time = until;
    },
  };
}

/** A response whose reader takes one write each time that `takeOne` is called. */
function openSlowReader(): { readonly outgoing: ServerResponse; takeOne(): void } {
  const untaken: (() => void)[] = [];
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableEnded: false,
    writableNeedDrain: true,
    writeHead: () => undefined,
    flushHeaders: () => undefined,
    write: (_: string, taken: () => void) => void untaken.push(taken),
    destroy() {
      response.destroyed = true;
      response.emit('close');
    },
  });
  return { outgoing: response as unknown as ServerResponse, takeOne: () => untaken.shift()?.() };
}

/** Collects what the reader gets, read by read. */
function readsOf(response: IncomingMessage): string[] {
  const reads: string[] = [];
  response.on('data', (data: Buffer) => reads.push(data.toString()));
  return reads;
}

describe('an event stream', () => {
  it('sends its headers at once, before any event', async () => {
    const { outgoing, head } = await openPair();
    const stream = toEventStream(outgoing, CALM);
    expect(stream.isOpen).toBe(false);
    stream.open();
    const { statusCode, headers } = await head;
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.isOpen).toBe(true);
    stream.end('');
  });

  it('opens once', async () => {
    const { head, stream } = await openStream();
    stream.open();
    stream.end('data: 1\n\n');
    expect(await readAll(await head)).toBe('data: 1\n\n');
  });

  it('carries what is written, in order', async () => {
    const { head, stream } = await openStream();
    for (const text of ['a', 'ü', '世界']) expect(stream.write(text)).toBeNull();
    stream.end('!');
    expect(await readAll(await head)).toBe('aü世界!');
  });

  it('sends a slow stream piece by piece, and joins the pieces of a fast one', async () => {
    const { head, clock, stream } = await openStream();
    const reads = readsOf(await head);
    for (let piece = 1; piece <= 3; piece += 1) {
      clock.advance(5);
      stream.write(`slow ${piece}.`);
      await vi.waitFor(() => expect(reads).toHaveLength(piece));
    }
    expect(reads).toEqual(['slow 1.', 'slow 2.', 'slow 3.']);
    reads.length = 0;
    for (let piece = 0; piece < 1_000; piece += 1) stream.write(`${piece},`);
    clock.advance(5);
    await vi.waitFor(() => expect(reads).toEqual([Array.from({ length: 1_000 }, (_, piece) => `${piece},`).join('')]));
    stream.end('');
  });

  it('what waits is sent with the end', async () => {
    const { head, stream } = await openStream();
    for (const text of ['a', 'b', 'c']) stream.write(text);
    stream.end('d');
    expect(await readAll(await head)).toBe('abcd');
  });

  it('beats while it is quiet', async () => {
    const { head, clock, stream } = await openStream();
    const response = await head;
    clock.advance(59_999);
    clock.advance(60_001);
    stream.end('');
    clock.advance(59_999);
    expect(await readAll(response)).toBe(': heartbeat\n\n: heartbeat\n\n');
  });

  it('does not beat while events flow', async () => {
    const { head, clock, stream } = await openStream();
    for (let event = 0; event < 10; event += 1) {
      stream.write('data: 1\n\n');
      clock.advance(30_000);
    }
    stream.end('');
    expect(await readAll(await head)).toBe('data: 1\n\n'.repeat(10));
  });

  it('asks to wait when the reader is behind, and goes on when it has caught up', async () => {
    const { outgoing, head, stream } = await openStream();
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
    const { outgoing, head, clock, stream } = await openStream();
    (await head).pause();
    // More than the system itself takes for the reader.
    const waiting = stream.write('x'.repeat(50_000_000));
    clock.advance(149_999);
    expect(outgoing.destroyed).toBe(false);
    clock.advance(1);
    expect(outgoing.destroyed).toBe(true);
    await waiting;
  });

  it('drops a reader who does not take the end', async () => {
    const { outgoing, head, clock, stream } = await openStream();
    (await head).pause();
    stream.end('x'.repeat(50_000_000));
    clock.advance(149_999);
    expect(outgoing.destroyed).toBe(false);
    clock.advance(1);
    expect(outgoing.destroyed).toBe(true);
  });

  it('a reader who takes the end is not dropped later', async () => {
    const { outgoing, head } = await openPair();
    const clock = openClock();
    const stream = toEventStream(outgoing, CALM, clock);
    const destroy = vi.spyOn(outgoing, 'destroy');
    stream.open();
    stream.end('last');
    expect(await readAll(await head)).toBe('last');
    await vi.waitFor(() => expect(outgoing.closed).toBe(true));
    const before = destroy.mock.calls.length;
    clock.advance(150_000);
    expect(destroy).toHaveBeenCalledTimes(before);
  });

  it('an answer of moderate length does not wait for its reader', () => {
    const { outgoing } = openSlowReader();
    const stream = toEventStream(outgoing, CALM, openClock());
    stream.open();
    for (let piece = 0; piece < 4; piece += 1) expect(stream.write('x'.repeat(65_536))).toBeNull();
    expect(stream.write('x'.repeat(65_537))).not.toBeNull();
  });

  it('drops a reader who takes a little again and again, but keeps the answer waiting too long in all', async () => {
    const { outgoing, takeOne } = openSlowReader();
    const clock = openClock();
    const stream = toEventStream(outgoing, CALM, clock);
    stream.open();
    const writeUntilBehind = (): Promise<void> => {
      for (;;) {
        const waiting = stream.write('x'.repeat(100_000));
        if (waiting) return waiting;
      }
    };
    // After the second wait 32 s of the 150 s are left.
    for (let round = 0; round < 2; round += 1) {
      const waiting = writeUntilBehind();
      clock.advance(59_000);
      takeOne();
      await waiting;
    }
    const last = writeUntilBehind();
    clock.advance(31_999);
    expect(outgoing.destroyed).toBe(false);
    clock.advance(1);
    expect(outgoing.destroyed).toBe(true);
    await last;
  });

  it('a reader who leaves ends the wait', async () => {
    const { head, stream } = await openStream();
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
