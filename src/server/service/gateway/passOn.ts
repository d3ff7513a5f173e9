// Hands an upstream answer to the caller by Node's own streams: bytes unchanged, back-pressure both ways,
// a cut upstream seen as a cut, a caller who left seen upstream, and a remote that falls silent given up.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeData } from '#shared/stream/sseEncode.ts';
import type { OpenStreams } from '#server/service/openStreams.ts';
import { problemEnvelope, type HttpProblem } from '#server/service/problem.ts';
import { shutdownProblem } from '#server/service/chatAnswer.ts';
import { toSilent } from './upstreamFailure.ts';

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

export const isEventStream = (answer: IncomingMessage): boolean =>
  toSafeType(answer.headers['content-type']).toLowerCase().startsWith('text/event-stream');

export interface PassOnOptions {
  readonly streams: OpenStreams;
  /** The remote's origin, for messages. */
  readonly origin: string;
  /** Of an answer that is no stream of events. */
  readonly cacheControl: string;
  /** What was already read of the body. */
  readonly before?: readonly Buffer[];
  /** How long the remote may send nothing; it is ended at the next heartbeat after it. */
  readonly silenceMs: number;
  /** A caller of a silent stream of events gets a comment this often. */
  readonly heartbeatMs: number;
}

/** A comment without an empty line: in the middle of an event it leaves the event as it is. */
const HEARTBEAT = ': heartbeat\n';
const LINE_END = 10;

interface SilenceOptions {
  readonly everyMs: number;
  readonly limitMs: number;
  /** Called while the remote is silent; `isLineStart` says whether a line of our own may be written. */
  readonly onQuiet: (isLineStart: boolean) => void;
  readonly onSilent: () => void;
}

/** Looks now and then whether the remote has sent something; a timer for each chunk would cost more than the chunk. */
function watchSilence(answer: IncomingMessage, outgoing: ServerResponse, options: SilenceOptions): () => void {
  const { everyMs, limitMs, onQuiet, onSilent } = options;
  let hasRead = false;
  let lastByte = LINE_END;
  let quietMs = 0;
  answer.on('data', (part: Buffer) => {
    hasRead = true;
    lastByte = part.at(-1) ?? lastByte;
  });
  const timer = setInterval(() => {
    // A reader that is behind holds the remote back: that silence is not the remote's.
    quietMs = hasRead || outgoing.writableNeedDrain ? 0 : quietMs + everyMs;
    hasRead = false;
    if (quietMs >= limitMs) onSilent();
    else if (quietMs > 0) onQuiet(lastByte === LINE_END);
  }, everyMs);
  return () => clearInterval(timer);
}

/** Resolves when the answer is over, however it ended. */
export function passOn(answer: IncomingMessage, outgoing: ServerResponse, options: PassOnOptions): Promise<void> {
  const { streams, origin, cacheControl, before = [], silenceMs, heartbeatMs } = options;
  const isStream = isEventStream(answer);
  const isPlain = (answer.headers['content-encoding'] ?? 'identity') === 'identity';
  return new Promise((resolve) => {
    const end = (problem: HttpProblem): void => {
      answer.unpipe(outgoing);
      // The last event may be half sent: an empty line ends it before ours.
      if (isStream && outgoing.headersSent)
        outgoing.end(`\n\n${encodeData(JSON.stringify(problemEnvelope(problem)))}`, () => answer.destroy());
      else outgoing.destroy();
    };
    const remove = streams.add(() => end(shutdownProblem()));
    outgoing.writeHead(answer.statusCode ?? 502, {
      ...toPassedHeaders(answer.headers),
      'Cache-Control': isStream ? 'no-cache, no-transform' : cacheControl,
      ...(isStream ? { 'X-Accel-Buffering': 'no' } : {}),
    });
    outgoing.flushHeaders();
    const stopListening = watchSilence(answer, outgoing, {
      everyMs: heartbeatMs,
      limitMs: silenceMs,
      onQuiet(isLineStart) {
        if (isStream && isPlain && isLineStart && outgoing.writable) outgoing.write(HEARTBEAT);
      },
      onSilent() {
        stopListening();
        end(toSilent(origin, silenceMs));
      },
    });
    // Not stream.pipeline: it makes and aborts a controller for every answer. A cut upstream is an error here.
    answer.on('error', () => outgoing.destroy());
    const finish = (): void => {
      answer.destroy();
      stopListening();
      remove();
      resolve();
    };
    outgoing.on('close', finish);
    if (outgoing.destroyed) return finish();
    for (const part of before) outgoing.write(part);
    answer.pipe(outgoing);
  });
}
