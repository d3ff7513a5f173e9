// Whether panes show their parameters: one choice for all panes, kept for the next visit.
import { create } from 'zustand';

const KEY = 'studio.parameters';

/** Below this window height open parameters would leave the conversation no room. CSS pixels. */
const ROOMY = 640;

function readChoice(): boolean {
  const isRoomy = typeof window === 'undefined' || window.innerHeight >= ROOMY;
  try {
    const kept = localStorage.getItem(KEY);
    return isRoomy && kept !== 'closed';
  } catch {
    return isRoomy;
  }
}

const useChoice = create(() => ({ isOpen: readChoice() }));

export const useParametersOpen = (): boolean => useChoice((state) => state.isOpen);

export function showParameters(isOpen: boolean): void {
  useChoice.setState({ isOpen });
  try {
    localStorage.setItem(KEY, isOpen ? 'open' : 'closed');
  } catch {
    // A browser that keeps nothing still shows and hides them.
  }
}
