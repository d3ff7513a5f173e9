// Whether panes show their parameters: one choice for all panes of this tab, once somebody has made it.
import { create } from 'zustand';

const KEY = 'studio.parameters';

/** Below this window height open parameters would leave the conversation no room. CSS pixels. */
const ROOMY = 640;

const isRoomy = (): boolean => typeof window === 'undefined' || window.innerHeight >= ROOMY;

/** null: nobody has chosen in this tab. */
function readChoice(): boolean | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    if (kept === 'open') return isRoomy() ? true : null;
    return kept === 'closed' ? false : null;
  } catch {
    return null;
  }
}

const useChoice = create<{ readonly isOpen: boolean | null }>(() => ({ isOpen: readChoice() }));

/** `isWanted`: whether they are shown where nobody has chosen; in a low window they are not. */
export const useParametersOpen = (isWanted: boolean): boolean =>
  useChoice((state) => state.isOpen) ?? (isWanted && isRoomy());

export function showParameters(isOpen: boolean): void {
  useChoice.setState({ isOpen });
  try {
    sessionStorage.setItem(KEY, isOpen ? 'open' : 'closed');
  } catch {
    // A browser that keeps nothing still shows and hides them.
  }
}
