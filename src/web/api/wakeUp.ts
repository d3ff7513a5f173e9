// Asks again, at once, what the service did not answer, when the network, the window or the tab comes back.
import type { QueryClient, QueryState } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';
import { isHeldBack, isRetryable } from './polling.ts';

/** Coming back is several events at once: the tab is shown, the window has the focus. */
const TOGETHER_MS = 250;

/** No answer, or one that may be better now. */
const isRetried = (error: unknown): error is ApiFailure => error instanceof ApiFailure && isRetryable(error);

function isWorthIt(state: QueryState, now: number): boolean {
  const { error, fetchStatus, fetchFailureReason } = state;
  if (fetchStatus === 'idle') return isRetried(error) && !isHeldBack(state, now);
  // A pause between two tries is not waited for, unless the service asked for it. A first try may be a large answer
  // that is arriving.
  if (fetchStatus === 'fetching') return isRetried(fetchFailureReason) && fetchFailureReason.retryAfterMs === null;
  // Paused until the tab is seen: the time between two tries is over.
  return isRetried(error) || isRetried(fetchFailureReason);
}

export interface Surroundings {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;
  readonly now: () => number;
}

/** Returns the way to stop. */
export function wakeUpWith(client: QueryClient, { window, document, now }: Surroundings): () => void {
  let last = -Infinity;
  const onReturn = (): void => {
    if (document.visibilityState === 'hidden' || now() - last < TOGETHER_MS) return;
    last = now();
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => isWorthIt(state, now()) });
  };
  const events = ['online', 'focus'] as const;
  for (const event of events) window.addEventListener(event, onReturn);
  document.addEventListener('visibilitychange', onReturn);
  return () => {
    for (const event of events) window.removeEventListener(event, onReturn);
    document.removeEventListener('visibilitychange', onReturn);
  };
}
