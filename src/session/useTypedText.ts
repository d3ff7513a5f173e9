// A filter text: owned by the address, with what is being typed in front of it, because a browser refuses an address
// that changes with each key. It must not know what is filtered.
import { useEffect, useRef, useState } from 'react';
import { MAX_TEXT, updateUrl, useUrlState } from './urlState';

const PAUSE_MS = 250;

interface Draft {
  readonly text: string;
  /** What the address said when typing began; when it says something else, the draft is over. */
  readonly base: string;
}

/** `name`: the address' field that keeps it. Changing it writes the address when typing pauses. */
export function useTypedText(name: 'q' | 'find'): readonly [string, (text: string) => void] {
  const kept = useUrlState()[name] ?? '';
  const [draft, setDraft] = useState<Draft | null>(null);
  if (draft && draft.base !== kept) setDraft(null);
  const unsaved = useRef<string | null>(null);

  useEffect(() => {
    unsaved.current = draft?.text ?? null;
    if (!draft) return undefined;
    const timer = setTimeout(() => updateUrl({ [name]: draft.text }, { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, name]);

  useEffect(() => {
    const flush = () => {
      if (unsaved.current !== null) updateUrl({ [name]: unsaved.current }, { replace: true });
      unsaved.current = null;
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [name]);
  const change = (text: string) => {
    // A longer text would not come back from the address.
    const fitting = text.slice(0, MAX_TEXT);
    // Taking a filter away is not typing: what is pressed next is meant for all.
    if (fitting === '') updateUrl({ [name]: null }, { replace: true });
    setDraft(fitting === '' || fitting === kept ? null : { text: fitting, base: kept });
  };
  return [draft?.text ?? kept, change];
}
