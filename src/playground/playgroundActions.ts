// What components may do, handed down by the panel. Components import this and not the actions themselves, so that
// they stay free of the client and its streams.
import { createContext, useContext } from 'react';

type Actions = typeof import('./actions');

/** The actions, with what depends on the service that serves the page already filled in. */
export interface PlaygroundActions extends Omit<Actions, 'retryPane' | 'sendMessage'> {
  readonly retryPane: (paneId: string) => Promise<void>;
  readonly sendMessage: () => Promise<void>;
}

export const ActionsContext = createContext<PlaygroundActions | null>(null);

/** The playground's actions. Throws outside the panel. */
export function useActions(): PlaygroundActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error('The playground\'s components work inside <Playground> only.');
  return actions;
}
