// What components may do, handed down by the panel. Components import this and not the actions themselves, so that
// they stay free of the client and its streams.
import { createContext, useContext } from 'react';

type Mode = import('./runActions.ts').Mode;

/** Functions that take the service's mode first, without it. */
type WithoutMode<T> = {
  readonly [Name in keyof T]: T[Name] extends (mode: Mode, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** The actions, with what depends on the service that serves the page already filled in. */
export type PlaygroundActions = typeof import('#web/playground/desk/actions.ts') &
  typeof import('#web/playground/desk/turnActions.ts') &
  typeof import('#web/playground/desk/exampleActions.ts') &
  WithoutMode<typeof import('./runActions.ts')>;

export const ActionsContext = createContext<PlaygroundActions | null>(null);

/** The playground's actions. Throws outside the panel. */
export function useActions(): PlaygroundActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("The playground's components work inside <Playground> only.");
  return actions;
}
