// Whether the playground shows the chat or the prompt grid: a choice per tab that survives a reload.

import { create } from 'zustand';
import { keep, readKept } from '#ui/storage/keptText.ts';

export type PlaygroundView = 'chat' | 'grid';

const SESSION_KEY = 'studio.view';

export const readView = (): PlaygroundView => (readKept('sessionStorage', SESSION_KEY) === 'grid' ? 'grid' : 'chat');

export const storeView = (view: PlaygroundView): void => keep('sessionStorage', SESSION_KEY, view);

// Whether panes show their parameters: one choice for all panes of this tab.

const KEY = 'studio.parameters';

/** Below this window height open parameters would leave the conversation no room. CSS pixels. */
const MIN_HEIGHT = 640;

const hasRoom = (): boolean => typeof window === 'undefined' || window.innerHeight >= MIN_HEIGHT;

/** null: no choice in this tab yet. */
function readChoice(): boolean | null {
  const stored = readKept('sessionStorage', KEY);
  if (stored === 'open') return hasRoom() ? true : null;
  return stored === 'closed' ? false : null;
}

const useChoice = create<{ readonly isOpen: boolean | null }>(() => ({ isOpen: readChoice() }));

/** Without a choice they are folded to the line that says what is set. */
export const useParametersOpen = (): boolean => useChoice((state) => state.isOpen) ?? false;

export function showParameters(isOpen: boolean): void {
  useChoice.setState({ isOpen });
  keep('sessionStorage', KEY, isOpen ? 'open' : 'closed');
}
