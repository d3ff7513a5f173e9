// Whether the playground shows the chat or the prompt grid: a choice per tab that survives a reload.

import { create } from 'zustand';

export type PlaygroundView = 'chat' | 'grid';

const SESSION_KEY = 'studio.view';

export function readView(): PlaygroundView {
  try {
    return sessionStorage.getItem(SESSION_KEY) === 'grid' ? 'grid' : 'chat';
  } catch {
    return 'chat';
  }
}

export function storeView(view: PlaygroundView): void {
  try {
    sessionStorage.setItem(SESSION_KEY, view);
  } catch {
    // Without session storage a reload shows the chat.
  }
}

// Whether panes show their parameters: one choice for all panes of this tab.

const KEY = 'studio.parameters';

/** Below this window height open parameters would leave the conversation no room. CSS pixels. */
const MIN_HEIGHT = 640;

const hasRoom = (): boolean => typeof window === 'undefined' || window.innerHeight >= MIN_HEIGHT;

/** null: no choice in this tab yet. */
function readChoice(): boolean | null {
  try {
    const stored = sessionStorage.getItem(KEY);
    if (stored === 'open') return hasRoom() ? true : null;
    return stored === 'closed' ? false : null;
  } catch {
    return null;
  }
}

const useChoice = create<{ readonly isOpen: boolean | null }>(() => ({ isOpen: readChoice() }));

/** Without a choice they are folded to the line that says what is set. */
export const useParametersOpen = (): boolean => useChoice((state) => state.isOpen) ?? false;

export function showParameters(isOpen: boolean): void {
  useChoice.setState({ isOpen });
  try {
    sessionStorage.setItem(KEY, isOpen ? 'open' : 'closed');
  } catch {
    // Without session storage the choice still works until a reload.
  }
}
