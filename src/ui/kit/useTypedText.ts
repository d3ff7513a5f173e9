// A filter text. The address owns it, and a draft holds the typed text, because a browser refuses an address that
// changes with each key.
import { useEffect, useRef, useState } from 'react';
import { MAX_TEXT, readUrl, updateUrl, useUrlState, watchProjectChange } from '#ui/address/urlState.ts';

const PAUSE_MS = 250;

interface Draft {
  readonly text: string;
  /** The project that the text was typed in. It means nothing in another one. */
  readonly project: string | null;
  /** The text in the address when typing began. If the address changes, the draft ends. */
  readonly base: string;
}

/** The browser's Back may have opened another project meanwhile. */
function commit(name: 'q' | 'find', { text, project }: Draft): void {
  if (readUrl().project === project) updateUrl({ [name]: text }, { replace: true });
}

/** `name`: the field in the address. It is written when typing pauses. */
export function useTypedText(name: 'q' | 'find'): readonly [string, (text: string) => void] {
  const { [name]: stored, project } = useUrlState();
  const committed = stored ?? '';
  const [draft, setDraft] = useState<Draft | null>(null);
  if (draft && (draft.base !== committed || draft.project !== project)) setDraft(null);
  const unsaved = useRef<Draft | null>(null);

  useEffect(() => {
    unsaved.current = draft;
    if (!draft) return undefined;
    const timer = setTimeout(() => commit(name, draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, name]);

  useEffect(() => {
    const flush = () => {
      const { current } = unsaved;
      unsaved.current = null;
      if (current !== null) commit(name, current);
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
    // A longer text could not be read back from the address.
    const fitting = text.slice(0, MAX_TEXT);
    // Clearing a filter is not typing: the next shortcut is for the page.
    if (fitting === '') updateUrl({ [name]: null }, { replace: true });
    setDraft(fitting === '' || fitting === committed ? null : { text: fitting, base: committed, project });
  };
  return [draft?.text ?? committed, change];
}
