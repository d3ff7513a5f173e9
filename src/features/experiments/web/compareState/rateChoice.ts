// What a service's `learning_rate_multiplier` means, as a person said: stored in this browser, one choice per
// connection (the origin of the studio that answers).
import { parseJson } from '#core/contract/readJson.ts';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { readRateChoice, toRateMeaning, type RateChoice } from '#core/contract/rateMeaning.ts';
import { toConnection } from '#features/experiments/shared/exports/exportInput.ts';
import { sessionQuery } from '#ui/client/queries.ts';

const PREFIX = 'studio.rate:';

interface StoredChoice {
  readonly text: string | null;
  readonly choice: RateChoice | null;
}

/** The last choices that were read or written. The only copy if storage is switched off. */
const cache = new Map<string, StoredChoice>();
const listeners = new Set<() => void>();

function readText(connection: string): string | null {
  try {
    return window.localStorage.getItem(PREFIX + connection);
  } catch {
    return cache.get(connection)?.text ?? null;
  }
}

const parse = (text: string | null): RateChoice | null => readRateChoice(parseJson(text ?? ''));

/** The choice for this connection; the same object until it changes. null: no choice. */
export function loadRateChoice(connection: string): RateChoice | null {
  const text = readText(connection);
  const last = cache.get(connection);
  if (last?.text === text) return last.choice;
  const choice = parse(text);
  cache.set(connection, { text, choice });
  return choice;
}

/** null removes the choice. */
export function saveRateChoice(connection: string, choice: RateChoice | null): void {
  const text = choice === null ? null : JSON.stringify(choice);
  cache.set(connection, { text, choice });
  try {
    if (text === null) window.localStorage.removeItem(PREFIX + connection);
    else window.localStorage.setItem(PREFIX + connection, text);
  } catch {
    // Storage can be switched off; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may change it.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Whether `learning_rate_multiplier` is the learning rate itself: the studio says it, or a person did. */
export function useIsRate(): boolean {
  const { data: session = null } = useQuery(sessionQuery());
  const choice = useRateChoice(toConnection(session, window.location.origin));
  return toRateMeaning(session?.learning_rate_is_absolute ?? null, choice).means === 'rate';
}

export function useRateChoice(connection: string): RateChoice | null {
  const read = () => loadRateChoice(connection);
  return useSyncExternalStore(subscribe, read, read);
}
