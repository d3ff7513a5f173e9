// Aborting: one kind of error, and promises and iterations that end at once when a signal is aborted.
import { EngineError } from './engine.ts';

/** The error that an aborted call ends with: an AbortError, or the EngineError that the signal was aborted with. */
export function toAbortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof EngineError) return reason;
  if (reason instanceof Error && reason.name === 'AbortError') return reason;
  return new DOMException('The request was stopped before the answer was complete.', 'AbortError');
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw toAbortError(signal);
}

/** `promise`, but rejected as soon as `signal` is aborted. The work behind the promise continues. */
export async function withAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  throwIfAborted(signal);
  return await new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(toAbortError(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    promise
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
      .catch(reject);
  });
}

/** Aborts `controller` together with `signal`; the returned function removes the link. */
export function linkAbort(signal: AbortSignal, controller: AbortController): () => void {
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/**
 * Runs a generator that ends early when any of `signals` is aborted, or when the reader calls `return()`. `return()`
 * takes effect while a `next()` is still pending: a plain generator would wait for that `next()`, for ever in a queue.
 */
export function toAbortable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void>,
  signals: readonly AbortSignal[],
): AsyncIterableIterator<T, void> {
  const controller = new AbortController();
  const unlinks = signals.map((signal) => linkAbort(signal, controller));
  const generator = start(controller.signal);
  const settle = (result: IteratorResult<T, void>): IteratorResult<T, void> => {
    if (result.done === true) for (const unlink of unlinks) unlink();
    return result;
  };
  const fail = (error: unknown): never => {
    for (const unlink of unlinks) unlink();
    throw error;
  };
  return {
    next: () => generator.next().then(settle, fail),
    return: () => {
      controller.abort();
      return generator.return().then(settle, fail);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
