// Whether panes show their parameters: one choice for all panes, kept for the next visit.
import { create } from 'zustand';

const KEY = 'studio.parameters';

function readChoice(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'closed';
  } catch {
    return true;
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
