// One server-sent event stream on Node's own response: headers at once, back-pressure, heartbeats, stalled readers dropped.
// It must not know what the events mean.
import type { ServerResponse } from 'node:http';
import { encodeComment } from '../stream/sseEncode';

export interface StreamTiming {
  /** A comment is sent after this much silence, so that proxies keep the connection. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for this long is dropped. */
  readonly stallMs: number;
}

export const STREAM_TIMING: StreamTiming = { heartbeatMs: 15_000, stallMs: 60_000 };

export interface EventStream {
  /** Sends the headers, once. */
  open(): void;
  readonly isOpen: boolean;
  /** Writes text that holds whole events. A promise only when the reader is behind: wait for it before the next. */
  write(text: string): Promise<void> | null;
  /** Writes the last text and ends the answer. */
  end(text: string): void;
}

/** Resolves when the reader takes more, or has gone; a reader that does neither within `stallMs` is dropped. */
function waitForReader(outgoing: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), stallMs);
    const done = (): void => {
      clearTimeout(timer);
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // `no-transform` and X-Accel-Buffering: compressing or buffering proxies would hold deltas back.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * A fast engine makes a token each third of a millisecond, and a write of its own for each costs as much again.
 * So writes of one stream are at least this far apart; the first one, and every one of a slower stream, goes out at once.
 */
const SPACING_MS = 5;
/** Text that waits for the spacing is bounded. */
const MAX_WAITING = 64 * 1024;

export function toEventStream(outgoing: ServerResponse, timing: StreamTiming = STREAM_TIMING): EventStream {
  let isOpen = false;
  let isQuiet = true;
  let waiting = '';
  let writtenAt = Number.NEGATIVE_INFINITY;
  let spacing: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let behind: Promise<void> | null = null;
  const take = (): string => {
    clearTimeout(spacing);
    spacing = undefined;
    const text = waiting;
    waiting = '';
    return text;
  };
  const catchUp = async (): Promise<void> => {
    await waitForReader(outgoing, timing.stallMs);
    behind = null;
  };
  const flush = (): void => {
    writtenAt = performance.now();
    if (outgoing.destroyed || outgoing.writableEnded || outgoing.write(take())) return;
    behind ??= catchUp();
  };
  const beat = (): void => {
    if (isQuiet && !outgoing.writableNeedDrain && outgoing.writable) outgoing.write(encodeComment('heartbeat'));
    isQuiet = true;
  };
  const stop = (): void => {
    clearInterval(heartbeat);
    clearTimeout(spacing);
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
      heartbeat = setInterval(beat, timing.heartbeatMs);
      outgoing.on('close', stop);
    },
    write(text) {
      if (outgoing.destroyed) return null;
      isQuiet = false;
      waiting += text;
      if (waiting.length > MAX_WAITING || performance.now() - writtenAt >= SPACING_MS) flush();
      else spacing ??= setTimeout(flush, SPACING_MS);
      return behind;
    },
    end(text) {
      stop();
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.end(take() + text);
    },
  };
}
