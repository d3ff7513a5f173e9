// Aborting: one kind of error, and promises and iterations that give way to a signal at once.
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

/** `promise`, but rejected as soon as `signal` is aborted. What the promise stands for goes on. */
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

/** Aborts `controller` together with `signal`; the returned function unties them. */
export function linkAbort(signal: AbortSignal, controller: AbortController): () => void {
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/**
 * Runs a generator that ends early on any of `signals` and also when the reader leaves: `return()` takes effect
 * while a `next()` is still pending (a plain generator would first wait for it, for ever in a queue).
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
