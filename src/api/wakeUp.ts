// Asks again, at once, what the service did not answer, when the network, the window or the tab comes back.
// It must not know what was asked for; when to ask otherwise is in polling.
import type { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure';
import { isRetryable } from './polling';

/** Coming back is several events at once: the tab is shown, the window has the focus. */
const TOGETHER_MS = 250;

/** No answer, or one that may be better now. */
const isWorthIt = (error: unknown): boolean => error instanceof ApiFailure && isRetryable(error);

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
    // A pause between two tries, or a request that hangs in a network that is gone, is not waited for.
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => isWorthIt(state.error) || isWorthIt(state.fetchFailureReason) });
  };
  const events = ['online', 'focus'] as const;
  for (const event of events) window.addEventListener(event, onReturn);
  document.addEventListener('visibilitychange', onReturn);
  return () => {
    for (const event of events) window.removeEventListener(event, onReturn);
    document.removeEventListener('visibilitychange', onReturn);
  };
}
