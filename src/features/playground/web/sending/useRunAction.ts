// Loads the actions that send requests when the first one is used, because the first view doesn't need them.
import { createContext, useCallback, useContext } from 'react';
import { showToast } from '#ui/kit/toast.ts';

type RunActions = typeof import('./runActions.ts');
type Mode = import('./runActions.ts').Mode;

/** Runs an action with the service's mode. If its code can't be loaded, it shows a toast and resolves to null. */
export type RunAction = <Result>(act: (actions: RunActions, mode: Mode) => Promise<Result>) => Promise<Result | null>;

/** The mode of the service that serves the page. */
export const ModeContext = createContext<Mode>(null);

export function useRunAction(): RunAction {
  const mode = useContext(ModeContext);
  return useCallback(
    async (act) => {
      let actions: RunActions;
      try {
        actions = await import('./runActions.ts');
      } catch {
        showToast(
          'Nothing was sent: a part of the page could not be loaded. Check that the studio is running, then try again.',
          { tone: 'error' },
        );
        return null;
      }
      return act(actions, mode);
    },
    [mode],
  );
}
