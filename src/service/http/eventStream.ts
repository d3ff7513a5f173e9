// One server-sent event stream on Node's own response: headers at once, back-pressure, heartbeats. It drops a reader
// that keeps its answer waiting too long in all; connectionLimits.ts drops one that takes nothing.
import type { ServerResponse } from 'node:http';
import { encodeComment } from '#core/stream/sseEncode.ts';

export interface StreamTiming {
  /** A comment is sent after this much silence, so that proxies keep the connection. */
  readonly heartbeatMs: number;
  /** A reader is dropped when its answer has waited for it this long in all: it blocks the answers of others. */
  readonly behindMs: number;
}

/** The clock of a stream, so that a test can move it. */
export interface StreamClock {
  /** Milliseconds from any fixed point. */
  now(): number;
  /** Calls `run` once after `ms`; the returned function cancels the call. */
  later(run: () => void, ms: number): () => void;
}

const CLOCK: StreamClock = {
  now: () => performance.now(),
  later(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export const STREAM_TIMING: StreamTiming = { heartbeatMs: 15_000, behindMs: 120_000 };

export interface EventStream {
  /** Sends the headers, once. */
  open(): void;
  readonly isOpen: boolean;
  /** Writes text of whole events. Returns a promise if the reader is far behind: await it before the next write. */
  write(text: string): Promise<void> | null;
  /** Writes the last text and ends the answer. Waiting for the reader to take it counts towards `behindMs`. */
  end(text: string): void;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // `no-transform` and X-Accel-Buffering: compressing or buffering proxies would delay deltas.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * A fast engine makes a token every third of a millisecond, and one write per token costs as much again. So writes of
 * one stream are at least this far apart. The first write, and every write of a slower stream, goes out at once.
 */
const SPACING_MS = 5;
/** The most text that waits for the next write. */
const MAX_BUFFERED = 64 * 1024;
/**
 * How many characters an answer may be ahead of its reader before generation pauses. An answer of some 2,000 tokens
 * never pauses, so it doesn't keep its place in the engine while it waits for a reader.
 */
const MAX_AHEAD = 256 * 1024;

export function toEventStream(
  outgoing: ServerResponse,
  timing: StreamTiming = STREAM_TIMING,
  clock: StreamClock = CLOCK,
): EventStream {
  let isOpen = false;
  let isQuiet = true;
  let buffered = '';
  let writtenAt = Number.NEGATIVE_INFINITY;
  let cancelFlush: (() => void) | null = null;
  let cancelBeat: (() => void) | null = null;
  /** Characters that were written but that the system has not taken yet. */
  let ahead = 0;
  let waitedMs = 0;
  let caughtUp: Promise<void> | null = null;
  let resume: (() => void) | null = null;
  const take = (): string => {
    cancelFlush?.();
    cancelFlush = null;
    const text = buffered;
    buffered = '';
    return text;
  };
  /** Resolves when the reader has caught up or left. Drops a reader that does neither in its time. */
  const catchUp = async (): Promise<void> => {
    const beganAt = clock.now();
    const cancel = clock.later(() => outgoing.destroy(), timing.behindMs - waitedMs);
    await new Promise<void>((resolve) => {
      resume = resolve;
      outgoing.once('close', resolve);
    });
    cancel();
    waitedMs += clock.now() - beganAt;
    if (resume) outgoing.off('close', resume);
    resume = null;
    caughtUp = null;
  };
  const flush = (): void => {
    writtenAt = clock.now();
    if (outgoing.destroyed || outgoing.writableEnded) return;
    const text = take();
    ahead += text.length;
    outgoing.write(text, () => {
      ahead -= text.length;
      if (ahead <= MAX_AHEAD) resume?.();
    });
    if (ahead > MAX_AHEAD) caughtUp ??= catchUp();
  };
  const beat = (): void => {
    if (isQuiet && !outgoing.writableNeedDrain && outgoing.writable) outgoing.write(encodeComment('heartbeat'));
    isQuiet = true;
    cancelBeat = clock.later(beat, timing.heartbeatMs);
  };
  const stop = (): void => {
    cancelBeat?.();
    cancelFlush?.();
  };
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      if (isOpen || outgoing.destroyed) return;
      isOpen = true;
      outgoing.writeHead(200, HEADERS);
      outgoing.flushHeaders();
      cancelBeat = clock.later(beat, timing.heartbeatMs);
      outgoing.on('close', stop);
    },
    write(text) {
      if (outgoing.destroyed) return null;
      isQuiet = false;
      buffered += text;
      if (buffered.length > MAX_BUFFERED || clock.now() - writtenAt >= SPACING_MS) flush();
      else cancelFlush ??= clock.later(flush, SPACING_MS);
      return caughtUp;
    },
    end(text) {
      stop();
      if (outgoing.destroyed || outgoing.writableEnded) return;
      outgoing.on(
        'close',
        clock.later(() => outgoing.destroy(), timing.behindMs - waitedMs),
      );
      outgoing.end(take() + text);
    },
  };
}
