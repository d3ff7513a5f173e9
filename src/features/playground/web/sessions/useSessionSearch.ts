// The search through sessions as a React hook.
import { useEffect, useState } from 'react';
import { openTextCache, type Hit } from './sessionSearch.ts';
import { readSessionText, type ListedSession } from './sessions.ts';
import { startSearch } from './startSearch.ts';

interface Found {
  /** null: nothing is searched. */
  readonly hits: ReadonlyMap<string, Hit> | null;
  readonly isReading: boolean;
  /** The hits belong to the previous query, because the search for the new one has not begun. */
  readonly isStale: boolean;
}

interface State {
  readonly hits: ReadonlyMap<string, Hit> | null;
  readonly isReading: boolean;
  readonly query: string;
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
    return startSearch(sessions, query, {
      readText,
      onUnread,
      onShow: (hits, isReading) => setState({ hits, isReading, query }),
    });
  }, [query, sessions, readText, onUnread]);
  if (query === '') return { ...NOTHING, isStale: false };
  const isStale = state.query !== query;
  return { hits: state.hits, isReading: state.isReading || isStale, isStale };
}
