// A filter text: owned by the address, with what is being typed in front of it, because a browser refuses an address
// that changes with each key.
import { useEffect, useRef, useState } from 'react';
import { MAX_TEXT, readUrl, updateUrl, useUrlState, watchProjectChange } from './urlState.ts';

const PAUSE_MS = 250;

interface Draft {
  readonly text: string;
  /** The project that it was typed in: it is nothing to another one. */
  readonly project: string | null;
  /** What the address said when typing began; when it says something else, the draft is over. */
  readonly base: string;
}

/** Back may have led to another project meanwhile. */
function keep(name: 'q' | 'find', { text, project }: Draft): void {
  if (readUrl().project === project) updateUrl({ [name]: text }, { replace: true });
}

/** `name`: the address' field that keeps it. Changing it writes the address when typing pauses. */
export function useTypedText(name: 'q' | 'find'): readonly [string, (text: string) => void] {
  const { [name]: stored, project } = useUrlState();
  const kept = stored ?? '';
  const [draft, setDraft] = useState<Draft | null>(null);
  if (draft && (draft.base !== kept || draft.project !== project)) setDraft(null);
  const unsaved = useRef<Draft | null>(null);

  useEffect(() => {
    unsaved.current = draft;
    if (!draft) return undefined;
    const timer = setTimeout(() => keep(name, draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, name]);

  useEffect(() => {
    const flush = () => {
      const { current } = unsaved;
      unsaved.current = null;
      if (current !== null) keep(name, current);
    };
    const stop = watchProjectChange(flush);
    window.addEventListener('pagehide', flush);
    return () => {
      stop();
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [name]);
  const change = (text: string) => {
    // A longer text would not come back from the address.
    const fitting = text.slice(0, MAX_TEXT);
    // Taking a filter away is not typing: what is pressed next is meant for all.
    if (fitting === '') updateUrl({ [name]: null }, { replace: true });
    setDraft(fitting === '' || fitting === kept ? null : { text: fitting, base: kept, project });
  };
  return [draft?.text ?? kept, change];
}
