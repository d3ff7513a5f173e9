// Hands an upstream answer to the caller by Node's own streams: bytes unchanged, back-pressure both ways,
// a cut upstream seen as a cut, a caller who left seen upstream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeData } from '../stream/sseEncode';
import { STREAM_TIMING } from './eventStream';
import type { OpenStreams } from './openStreams';
import { problemEnvelope } from './problem';
import { shutdownProblem } from './chatAnswer';

const PASSED = ['retry-after', 'retry-after-ms', 'x-should-retry', 'x-request-id', 'etag', 'content-encoding'] as const;

/** A remote's HTML must not become a page of this origin: what is neither JSON nor a stream is plain text. */
export function toSafeType(type: string | undefined): string {
  const name = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return name === 'application/json' || name === 'text/event-stream' ? (type ?? name) : 'text/plain; charset=utf-8';
}

/** The upstream's headers that a caller gets: an allow-list. */
export function toPassedHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const passed: Record<string, string> = { 'Content-Type': toSafeType(headers['content-type']) };
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}

const isEventStream = (headers: Readonly<Record<string, string>>): boolean => headers['Content-Type']?.startsWith('text/event-stream') ?? false;

/**
 * Drops a reader that takes nothing for `stallMs` while bytes wait for it; a silent remote is not that.
 * Looks now and then instead of setting the socket's timeout, which would be set anew at every chunk.
 */
function dropStalled(outgoing: ServerResponse, stallMs: number): () => void {
  let seen = -1;
  const timer = setInterval(() => {
    const sent = outgoing.socket?.bytesWritten ?? 0;
    if (outgoing.writableNeedDrain && sent === seen) outgoing.destroy();
    seen = sent;
  }, stallMs);
  return () => clearInterval(timer);
}

/** Resolves when the answer is over, however it ended. */
export function passOn(answer: IncomingMessage, outgoing: ServerResponse, streams: OpenStreams, stallMs = STREAM_TIMING.stallMs): Promise<void> {
  const headers = toPassedHeaders(answer.headers);
  const isStream = isEventStream(headers);
  return new Promise((resolve) => {
    const remove = streams.add(() => {
      answer.unpipe(outgoing);
      // The last event may be half sent: an empty line ends it before ours.
      if (isStream && outgoing.headersSent) outgoing.end(`\n\n${encodeData(JSON.stringify(problemEnvelope(shutdownProblem())))}`, () => answer.destroy());
      else outgoing.destroy();
    });
    outgoing.writeHead(answer.statusCode ?? 502, {
      ...headers,
      'Cache-Control': isStream ? 'no-cache, no-transform' : 'no-store',
      ...(isStream ? { 'X-Accel-Buffering': 'no' } : {}),
    });
    outgoing.flushHeaders();
    const stopWatching = dropStalled(outgoing, stallMs);
    // Not stream.pipeline: it makes and aborts a controller for every answer. A cut upstream is an error here.
    answer.on('error', () => outgoing.destroy());
    const finish = (): void => {
      answer.destroy();
      stopWatching();
      remove();
      resolve();
    };
    outgoing.on('close', finish);
    if (outgoing.destroyed) finish();
    else answer.pipe(outgoing);
  });
}
