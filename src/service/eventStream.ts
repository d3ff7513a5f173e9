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

export function toEventStream(outgoing: ServerResponse, timing: StreamTiming = STREAM_TIMING): EventStream {
  let isOpen = false;
  let isQuiet = true;
  let heartbeat: NodeJS.Timeout | undefined;
  const beat = (): void => {
    if (isQuiet && !outgoing.writableNeedDrain && outgoing.writable) outgoing.write(encodeComment('heartbeat'));
    isQuiet = true;
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
      outgoing.on('close', () => clearInterval(heartbeat));
    },
    write(text) {
      if (outgoing.destroyed) return null;
      isQuiet = false;
      return outgoing.write(text) ? null : waitForReader(outgoing, timing.stallMs);
    },
    end(text) {
      clearInterval(heartbeat);
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.end(text);
    },
  };
}
