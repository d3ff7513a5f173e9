// Searches sessions: titles and models first, then texts, one session at a time. Memory use is bounded, however many
// sessions there are.
import { useEffect, useState } from 'react';
import { wait } from '#ui/timing/wait.ts';
import { type ListedSession, readSessionText } from './sessions.ts';
import type { SessionSummary } from './sessionSummary.ts';

/** Size of the cache of texts, in characters. */
const MAX_CACHED = 16_000_000;
/** Characters of an excerpt before and after the match. */
const CONTEXT = 40;

interface Hit {
  readonly id: string;
  /** The text around the first match; null if title and models contain all words. */
  readonly excerpt: string | null;
}

type Reader = (session: ListedSession) => Promise<string>;

/**
 * Reads texts through a cache of bounded size. The cache keeps the first texts, because each search reads all of them
 * in the same order. Texts of open sessions may change, so they are not cached.
 */
export function openTextCache(read: (id: string) => Promise<string>, most = MAX_CACHED): Reader {
  const texts = new Map<string, string>();
  let size = 0;
  return async ({ id, savedAt, isCurrent, isElsewhere }) => {
    const key = `${id} ${savedAt}`;
    const cached = texts.get(key);
    if (cached !== undefined) return cached;
    const text = await read(id);
    if (!isCurrent && !isElsewhere && size + text.length <= most && !texts.has(key)) {
      texts.set(key, text);
      size += text.length;
    }
    return text;
  };
}

/** Case-insensitive patterns. Lower-casing the texts would change the length of some letters and shift offsets. */
export const toPatterns = (query: string): readonly RegExp[] =>
  query
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu'));

/** The words that are in neither the title nor the models, so the text must contain them. */
function findRemainingWords({ title, models }: SessionSummary, words: readonly RegExp[]): readonly RegExp[] {
  const head = `${title} ${models.join(' ')}`;
  return words.filter((word) => !word.test(head));
}

/** One line of text around the first word; null if the text lacks one of the words. */
export function findExcerpt(text: string, words: readonly RegExp[]): string | null {
  const found = words[0]?.exec(text);
  if (!found || !words.every((word) => word.test(text))) return null;
  const from = Math.max(0, found.index - CONTEXT);
  const to = Math.min(text.length, found.index + found[0].length + CONTEXT);
  // Removes half of a surrogate pair at either end.
  const around = text.slice(from, to).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${from > 0 ? '…' : ''}${around.replaceAll(/\s+/g, ' ').trim()}${to < text.length ? '…' : ''}`;
}

/** Waits this long for the next keystroke. */
const SETTLED_MS = 120;
const SHOW_EVERY_MS = 80;

interface SearchOptions {
  readonly readText: Reader;
  /** Called with all hits so far: at once for titles and models, a few times a second for texts, and at the end. */
  readonly onShow: (hits: ReadonlyMap<string, Hit>, isReading: boolean) => void;
  /** Called once, at the end, if texts could not be read. */
  readonly onUnread: (count: number) => void;
}

/** Finds the sessions that contain every word. No callback runs once the signal is aborted. */
export async function searchSessions(
  sessions: readonly ListedSession[],
  query: string,
  signal: AbortSignal,
  { readText, onShow, onUnread }: SearchOptions,
): Promise<void> {
  await wait(SETTLED_MS, signal);
  if (signal.aborted) return;
  const words = toPatterns(query);
  const searches = sessions.map((session) => ({ session, remaining: findRemainingWords(session, words) }));
  const hits = new Map(
    searches.flatMap(({ session: { id }, remaining }) =>
      remaining.length === 0 ? [[id, { id, excerpt: null } as Hit] as const] : [],
    ),
  );
  let shownAt = performance.now();
  let unreadCount = 0;
  onShow(new Map(hits), true);
  for (const { session, remaining } of searches) {
    if (remaining.length === 0) continue;
    const text = await readText(session).catch(() => null);
    if (signal.aborted) return;
    const excerpt = text === null ? null : findExcerpt(text, remaining);
    if (text === null) unreadCount += 1;
    if (excerpt !== null) hits.set(session.id, { id: session.id, excerpt });
    if (performance.now() - shownAt < SHOW_EVERY_MS) continue;
    shownAt = performance.now();
    onShow(new Map(hits), true);
  }
  if (unreadCount > 0) onUnread(unreadCount);
  onShow(hits, false);
}

interface State {
  /** null: nothing is searched. */
  readonly hits: ReadonlyMap<string, Hit> | null;
  readonly isReading: boolean;
  readonly query: string;
}

interface Found extends State {
  /** The hits belong to the previous query, because the search for the new one has not begun. */
  readonly isStale: boolean;
}

const NOTHING: State = { hits: null, isReading: false, query: '' };

/** `onUnread` must be stable; it gets the number of texts that could not be read. */
export function useSessionSearch(
  sessions: readonly ListedSession[] | null,
  typed: string,
  onUnread: (count: number) => void,
): Found {
  const [readText] = useState(() => openTextCache(readSessionText));
  const [state, setState] = useState(NOTHING);
  const query = typed.trim();
  // The next query starts with all sessions, not with old hits.
  if (query === '' && state !== NOTHING) setState(NOTHING);
  useEffect(() => {
    if (query === '' || sessions === null) return undefined;
    const stop = new AbortController();
    const onShow = (hits: ReadonlyMap<string, Hit>, isReading: boolean) => setState({ hits, isReading, query });
    void searchSessions(sessions, query, stop.signal, { readText, onUnread, onShow });
    return () => stop.abort();
  }, [query, sessions, readText, onUnread]);
  if (query === '') return { ...NOTHING, isStale: false };
  const isStale = state.query !== query;
  return { ...state, isReading: state.isReading || isStale, isStale };
}
