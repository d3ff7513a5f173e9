// A part of the page whose code comes when it is first shown. Where the code does not arrive, the part says so in its own
// place, and nothing around it is lost. It must not know which part.
import { createElement, lazy, useEffect, useSyncExternalStore, type ComponentType, type FunctionComponent } from 'react';
import { LostPart } from './LostPart';

/** What stands where the code of a part did not arrive. `name` stands for the part, as a noun: "The plot". */
export const toLost = (name: string, onRetry?: () => void): FunctionComponent<object> => () => createElement(LostPart, { name, onRetry });

/** Suspends until the code is there. After a failure it is fetched again when asked to, and when the part is shown another time. */
export function toLatePart<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>): FunctionComponent<Props> {
  const watchers = new Set<() => void>();
  let isLost = false;
  const fetchAgain = (): void => {
    isLost = false;
    View = open();
  };
  const Lost: FunctionComponent<Props> = toLost(name, () => {
    fetchAgain();
    for (const watcher of watchers) watcher();
  });
  const open = () =>
    lazy(async (): Promise<{ default: ComponentType<Props> }> => {
      try {
        return { default: await load() };
      } catch {
        isLost = true;
        return { default: Lost };
      }
    });
  let View = open();
  const subscribe = (watcher: () => void) => (watchers.add(watcher), () => void watchers.delete(watcher));
  const read = () => View;
  return (props) => {
    const Shown = useSyncExternalStore(subscribe, read, read);
    // When it leaves, not when it comes: what is drawn anew while it waits would fetch without end.
    useEffect(() => () => void (isLost && fetchAgain()), []);
    return createElement(Shown, props);
  };
}
