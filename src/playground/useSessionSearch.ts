// A search through sessions as React sees it: what is found so far, a few times a second.
// It must not know how it is shown.
import { useEffect, useState } from 'react';
import { openTextCache, searchSessions, type Hit } from './sessionSearch';
import { readSessionText, type ListedSession } from './sessions';

/** Whoever types goes on meanwhile. */
const SETTLED_MS = 120;
const SHOW_EVERY_MS = 80;

interface Found {
  /** null: nothing is searched. */
  readonly hits: ReadonlyMap<string, Hit> | null;
  readonly isReading: boolean;
}

interface State extends Found {
  readonly query: string;
}

const NOTHING: State = { hits: null, isReading: false, query: '' };

/** `onProblem` never changes. While a changed query begins, what the one before has found stays. */
export function useSessionSearch(sessions: readonly ListedSession[] | null, typed: string, onProblem: () => void): Found {
  const [readText] = useState(() => openTextCache(readSessionText));
  const [state, setState] = useState(NOTHING);
  const query = typed.trim();
  useEffect(() => {
    if (query === '' || sessions === null) return undefined;
    const stop = new AbortController();
    const hits = new Map<string, Hit>();
    let shownAt = 0;
    const show = (isReading: boolean): void => {
      shownAt = performance.now();
      setState({ hits: new Map(hits), isReading, query });
    };
    const onHit = (hit: Hit): void => {
      hits.set(hit.id, hit);
      if (performance.now() - shownAt > SHOW_EVERY_MS) show(true);
    };
    const search = async (): Promise<void> => {
      shownAt = performance.now();
      await searchSessions(sessions, query, { readText, signal: stop.signal, onHit });
      if (!stop.signal.aborted) show(false);
    };
    const timer = setTimeout(() => void search().catch(onProblem), SETTLED_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, sessions, readText, onProblem]);
  if (query === '') return NOTHING;
  return { hits: state.hits ?? new Map<string, Hit>(), isReading: state.isReading || state.query !== query };
}
