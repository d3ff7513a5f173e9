// One server-sent event stream on Node's own response: headers at once, back-pressure, heartbeats, and an end
// for a reader that keeps its answer waiting. A reader that takes nothing is dropped by connectionLimits.ts.
import type { ServerResponse } from 'node:http';
import { encodeComment } from '#shared/stream/sseEncode.ts';

export interface StreamTiming {
  /** A comment is sent after this much silence, so that proxies keep the connection. */
  readonly heartbeatMs: number;
  /** A reader that an answer had to wait for this long in all is dropped: it keeps others from being answered. */
  readonly behindMs: number;
}

/** The clock of a stream, so that a test can move it. */
export interface StreamClock {
  /** Milliseconds from any fixed point. */
  now(): number;
  /** Calls `run` once after `ms`; the returned function stops that. */
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
  /** Writes text that holds whole events. A promise only when the reader is far behind: wait for it before the next. */
  write(text: string): Promise<void> | null;
  /** Writes the last text and ends the answer; waiting for the reader to take it counts like waiting before. */
  end(text: string): void;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // `no-transform` and X-Accel-Buffering: compressing or buffering proxies would hold deltas back.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * A fast engine makes a token each third of a millisecond, and a write of its own for each costs as much again. So
 * writes of one stream are at least this far apart; the first one, and every one of a slower stream, goes out at once.
 */
const SPACING_MS = 5;
/** Text that waits for the spacing is bounded. */
const MAX_WAITING = 64 * 1024;
/**
 * Characters that an answer may be ahead of its reader. Up to there generation goes on, so that an answer of some 2,000
 * tokens never keeps its place in the engine for a reader.
 */
const MAX_AHEAD = 256 * 1024;

export function toEventStream(
  outgoing: ServerResponse,
  timing: StreamTiming = STREAM_TIMING,
  clock: StreamClock = CLOCK,
): EventStream {
  let isOpen = false;
  let isQuiet = true;
  let waiting = '';
  let writtenAt = Number.NEGATIVE_INFINITY;
  let cancelFlush: (() => void) | null = null;
  let cancelBeat: (() => void) | null = null;
  /** Characters that were written and that the system has not yet taken. */
  let ahead = 0;
  let waitedMs = 0;
  let behind: Promise<void> | null = null;
  let goOn: (() => void) | null = null;
  const take = (): string => {
    cancelFlush?.();
    cancelFlush = null;
    const text = waiting;
    waiting = '';
    return text;
  };
  /** Resolves when the reader has taken enough, or has gone; one that does neither in its time is dropped. */
  const catchUp = async (): Promise<void> => {
    const beganAt = clock.now();
    const cancel = clock.later(() => outgoing.destroy(), timing.behindMs - waitedMs);
    await new Promise<void>((resolve) => {
      goOn = resolve;
      outgoing.once('close', resolve);
    });
    cancel();
    waitedMs += clock.now() - beganAt;
    if (goOn) outgoing.off('close', goOn);
    goOn = null;
    behind = null;
  };
  const flush = (): void => {
    writtenAt = clock.now();
    if (outgoing.destroyed || outgoing.writableEnded) return;
    const text = take();
    ahead += text.length;
    outgoing.write(text, () => {
      ahead -= text.length;
      if (ahead <= MAX_AHEAD) goOn?.();
    });
    if (ahead > MAX_AHEAD) behind ??= catchUp();
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
      waiting += text;
      if (waiting.length > MAX_WAITING || clock.now() - writtenAt >= SPACING_MS) flush();
      else cancelFlush ??= clock.later(flush, SPACING_MS);
      return behind;
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
