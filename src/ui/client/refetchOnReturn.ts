// Repeats failed requests at once when the network, the window or the tab comes back.
import type { QueryClient, QueryState } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';
import { hasToWait, isRetryable } from './polling.ts';

/** One return fires several events at once: the tab becomes visible, the window gets the focus. */
const SAME_RETURN_MS = 250;

/** No answer, or a status that a retry may improve. */
const isRetried = (error: unknown): error is ApiFailure => error instanceof ApiFailure && isRetryable(error);

function shouldRefetch(state: QueryState, now: number): boolean {
  const { error, fetchStatus, fetchFailureReason } = state;
  if (fetchStatus === 'idle') return isRetried(error) && !hasToWait(state, now);
  // Skips the pause between two tries, unless the service asked for it. A first try is left alone: it may be a large
  // answer that is arriving.
  if (fetchStatus === 'fetching') return isRetried(fetchFailureReason) && fetchFailureReason.retryAfterMs === null;
  // Paused until the tab is visible, between two tries.
  return isRetried(error) || isRetried(fetchFailureReason);
}

export interface Surroundings {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;
  readonly now: () => number;
}

/** Returns a function that stops. */
export function wakeUpWith(client: QueryClient, { window, document, now }: Surroundings): () => void {
  let last = -Infinity;
  const onReturn = (): void => {
    if (document.visibilityState === 'hidden' || now() - last < SAME_RETURN_MS) return;
    last = now();
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => shouldRefetch(state, now()) });
  };
  const events = ['online', 'focus'] as const;
  for (const event of events) window.addEventListener(event, onReturn);
  document.addEventListener('visibilitychange', onReturn);
  return () => {
    for (const event of events) window.removeEventListener(event, onReturn);
    document.removeEventListener('visibilitychange', onReturn);
  };
}
