// Runs one search through sessions: delays its start while a person types, and limits how often hits are shown.
import { searchSessions, type Hit, type Reader } from './sessionSearch.ts';
import type { ListedSession } from './sessions.ts';

/** Waits this long for the next keystroke. */
const SETTLED_MS = 120;
const SHOW_EVERY_MS = 80;

interface StartOptions {
  readonly readText: Reader;
  /** Called with all hits so far: at once for titles, a few times a second for texts, and at the end. */
  readonly onShow: (hits: ReadonlyMap<string, Hit>, isReading: boolean) => void;
  /** Called once, at the end, if texts could not be read. */
  readonly onUnread: (count: number) => void;
}

/** Returns a function that stops the search; after it no callback runs. */
export function startSearch(
  sessions: readonly ListedSession[],
  query: string,
  { readText, onShow, onUnread }: StartOptions,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const hits = new Map<string, Hit>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const show = (isReading: boolean): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    onShow(new Map(hits), isReading);
  };
  const onHeads = (found: readonly Hit[]): void => {
    for (const hit of found) hits.set(hit.id, hit);
    show(true);
  };
  const onHit = (hit: Hit): void => {
    hits.set(hit.id, hit);
    timer ??= setTimeout(() => show(true), SHOW_EVERY_MS);
  };
  const search = async (): Promise<void> => {
    timer = null;
    try {
      const unreadCount = await searchSessions(sessions, query, { readText, signal, onHeads, onHit });
      if (unreadCount > 0 && !signal.aborted) onUnread(unreadCount);
    } finally {
      if (!signal.aborted) show(false);
    }
  };
  timer = setTimeout(() => void search(), SETTLED_MS);
  return () => {
    if (timer !== null) clearTimeout(timer);
    stop.abort();
  };
}
