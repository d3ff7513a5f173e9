// Pipes an upstream answer to the caller through Node's own streams: bytes unchanged, back-pressure both ways.
// The caller sees a cut of the upstream, the upstream sees the caller leave, and a silent remote is dropped.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeData } from '#core/stream/sseEncode.ts';
import type { OpenStreams } from '#service/http/openStreams.ts';
import type { HttpProblem } from '#service/http/httpProblem.ts';
import { problemEnvelope } from '#service/http/problem.ts';
import { shutdownProblem } from '#features/playground/server/chatAnswer.ts';
import { toSilent } from './upstreamFailure.ts';

const PASSED_HEADERS = [
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'x-request-id',
  'etag',
  'content-encoding',
] as const;

/** A remote's HTML must not become a page of this origin: everything but JSON and event streams becomes plain text. */
export function toSafeType(type: string | undefined): string {
  const name = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return name === 'application/json' || name === 'text/event-stream' ? (type ?? name) : 'text/plain; charset=utf-8';
}

/** The allow-list of upstream headers that a caller gets. */
export function toPassedHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const passed: Record<string, string> = { 'Content-Type': toSafeType(headers['content-type']) };
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}

const isEventStream = (answer: IncomingMessage): boolean =>
  toSafeType(answer.headers['content-type']).toLowerCase().startsWith('text/event-stream');

export interface PassOnOptions {
  readonly streams: OpenStreams;
  /** The remote's origin, for messages. */
  readonly origin: string;
  /** For an answer that isn't an event stream. */
  readonly cacheControl: string;
  /** How long the remote may send nothing. The next heartbeat after that ends it. */
  readonly silenceMs: number;
  /** How often a caller of a silent event stream gets a comment. */
  readonly heartbeatMs: number;
}

/** A comment without an empty line, so that it doesn't end an event that is half sent. */
const HEARTBEAT = ': heartbeat\n';
const LINE_END = 10;

interface SilenceOptions {
  readonly everyMs: number;
  readonly limitMs: number;
  /** Called while the remote is silent; `isLineStart`: our own line may be written now. */
  readonly onQuiet: (isLineStart: boolean) => void;
  readonly onSilent: () => void;
}

/** Checks at intervals whether the remote has sent anything: a timer per chunk would cost more than the chunk. */
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
    // A slow reader pauses the remote, so that silence is not the remote's.
    quietMs = hasRead || outgoing.writableNeedDrain ? 0 : quietMs + everyMs;
    hasRead = false;
    if (quietMs >= limitMs) onSilent();
    else if (quietMs > 0) onQuiet(lastByte === LINE_END);
  }, everyMs);
  return () => clearInterval(timer);
}

/** Resolves when the answer has ended in any way. */
export function passOn(answer: IncomingMessage, outgoing: ServerResponse, options: PassOnOptions): Promise<void> {
  const { streams, origin, cacheControl, silenceMs, heartbeatMs } = options;
  const isStream = isEventStream(answer);
  const isPlain = (answer.headers['content-encoding'] ?? 'identity') === 'identity';
  return new Promise((resolve) => {
    const end = (problem: HttpProblem): void => {
      answer.unpipe(outgoing);
      // The last event may be half sent, so an empty line ends it first.
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
    answer.pipe(outgoing);
  });
}
