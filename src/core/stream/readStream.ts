// Reads a streamed answer: bytes -> text -> server-sent events -> stream events, a batch per network read.
// Runs in browsers and in Node.
import { deltaReader } from './deltas.ts';
import type { StreamEvent } from './events.ts';
import { sseDecoder } from './sseDecode.ts';

export interface ReadOptions {
  /** Aborting ends the iteration at once with the signal's reason (an AbortError) and closes the connection. */
  readonly signal?: AbortSignal;
  /** Gets the raw text of each network read before it is decoded into events. */
  readonly onText?: ((text: string) => void) | undefined;
}

function toReason(error: unknown): string {
  const detail = error instanceof Error && error.message !== '' ? ` (${error.message})` : '';
  return `The connection was lost before the answer was complete${detail}.`;
}

/**
 * Reads a response's body to its end. Batches are never empty, and the last one ends with the last event: a lost
 * connection is a `stream-interrupted`, not a throw. Leaving the loop early closes the connection. The body is
 * read only as fast as the caller takes batches.
 */
export async function* readStream(
  body: ReadableStream<Uint8Array>,
  { signal, onText }: ReadOptions = {},
): AsyncGenerator<readonly StreamEvent[], void, undefined> {
  signal?.throwIfAborted();
  const reader = body.getReader();
  const text = new TextDecoder();
  const sse = sseDecoder();
  const deltas = deltaReader();
  // Only cancelling the stream ends a read that waits for a silent server. Cancelling a failed stream rejects with the
  // failure, which the read already reports.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const read = await reader.read().then(
        ({ done, value }) => ({ bytes: value, isEnd: done, reason: undefined }),
        (error: unknown) => ({ bytes: undefined, isEnd: true, reason: toReason(error) }),
      );
      const piece = read.isEnd ? text.decode() : text.decode(read.bytes, { stream: true });
      if (piece !== '') onText?.(piece);
      const found = read.isEnd ? [...sse.push(piece), ...sse.flush()] : sse.push(piece);
      const events = found.flatMap((event) => deltas.push(event));
      if (read.isEnd) events.push(...deltas.close(read.reason));
      signal?.throwIfAborted();
      if (events.length > 0) yield events;
      signal?.throwIfAborted();
      if (read.isEnd || deltas.isEnded()) return;
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}
