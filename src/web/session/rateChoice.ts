// What a person said that a service's `learning_rate_multiplier` means: kept in this browser, one choice for each
// connection (the origin of the studio that answers).
import { useSyncExternalStore } from 'react';
import { readRateChoice, type RateChoice } from '#shared/contract/rateMeaning.ts';

const PREFIX = 'studio.rate:';

interface Kept {
  readonly text: string | null;
  readonly choice: RateChoice | null;
}

/** What was last read or written; alone in charge where storage is switched off. */
const known = new Map<string, Kept>();
const listeners = new Set<() => void>();

function readText(connection: string): string | null {
  try {
    return window.localStorage.getItem(PREFIX + connection);
  } catch {
    return known.get(connection)?.text ?? null;
  }
}

function parse(text: string | null): RateChoice | null {
  try {
    return text === null ? null : readRateChoice(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The choice for this connection; the same object until it changes. null: nothing was said. */
export function readKeptRate(connection: string): RateChoice | null {
  const text = readText(connection);
  const last = known.get(connection);
  if (last?.text === text) return last.choice;
  const choice = parse(text);
  known.set(connection, { text, choice });
  return choice;
}

/** null takes it back. */
export function keepRate(connection: string, choice: RateChoice | null): void {
  const text = choice === null ? null : JSON.stringify(choice);
  known.set(connection, { text, choice });
  try {
    if (text === null) window.localStorage.removeItem(PREFIX + connection);
    else window.localStorage.setItem(PREFIX + connection, text);
  } catch {
    // Storage can be switched off; the choice then lives as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may say it.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function useKeptRate(connection: string): RateChoice | null {
  const read = () => readKeptRate(connection);
  return useSyncExternalStore(subscribe, read, read);
}
