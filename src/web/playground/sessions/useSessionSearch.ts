// A search through sessions as React sees it.
import { useEffect, useState } from 'react';
import { openTextCache, type Hit } from './sessionSearch.ts';
import { readSessionText, type ListedSession } from './sessions.ts';
import { startSearch } from './startSearch.ts';

interface Found {
  /** null: nothing is searched. */
  readonly hits: ReadonlyMap<string, Hit> | null;
  readonly isReading: boolean;
  /** It is what was on show before the query changed, for as long as the search for the new one has not begun. */
  readonly isOfBefore: boolean;
}

interface State {
  readonly hits: ReadonlyMap<string, Hit> | null;
  readonly isReading: boolean;
  readonly query: string;
}

const NOTHING: State = { hits: null, isReading: false, query: '' };

/** `onUnread` never changes; it is told how many texts could not be read. */
export function useSessionSearch(
  sessions: readonly ListedSession[] | null,
  typed: string,
  onUnread: (count: number) => void,
): Found {
  const [readText] = useState(() => openTextCache(readSessionText));
  const [state, setState] = useState(NOTHING);
  const query = typed.trim();
  // The next query begins with all sessions, not with what one long ago had found.
  if (query === '' && state !== NOTHING) setState(NOTHING);
  useEffect(() => {
    if (query === '' || sessions === null) return undefined;
    return startSearch(sessions, query, {
      readText,
      onUnread,
      onShow: (hits, isReading) => setState({ hits, isReading, query }),
    });
  }, [query, sessions, readText, onUnread]);
  if (query === '') return { ...NOTHING, isOfBefore: false };
  const isOfBefore = state.query !== query;
  return { hits: state.hits, isReading: state.isReading || isOfBefore, isOfBefore };
}
