// A part of the page whose code comes when it is first shown. Where the code does not arrive, the part says so in its
// own place, and nothing around it is lost.
import { createElement, lazy, useState, useSyncExternalStore, type ComponentType, type FunctionComponent } from 'react';
import { LoadErrorPart } from './LoadErrorPart.tsx';

/** What stands where the code of a part did not arrive. `name` stands for the part, as a noun: "The plot". */
export const toLost =
  (name: string, onRetry?: () => void): FunctionComponent<object> =>
  () =>
    createElement(LoadErrorPart, { name, onRetry });

/** Within this time what is drawn is still what waited for the code: fetching again at once would go on without end. */
const LEAST_MS = 1000;

/**
 * Suspends until the code is there. After a failure it is fetched again when asked to, and when the part is shown
 * another time.
 */
export function toLazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const watchers = new Set<() => void>();
  let lostAt: number | null = null;
  const fetchAgain = (): void => {
    lostAt = null;
    View = open();
  };
  const openAnew = (): void => {
    if (lostAt !== null && performance.now() - lostAt > LEAST_MS) fetchAgain();
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
        lostAt = performance.now();
        return { default: Lost };
      }
    });
  let View = open();
  const subscribe = (watcher: () => void) => (watchers.add(watcher), () => void watchers.delete(watcher));
  const read = () => View;
  return (props) => {
    useState(openAnew);
    const Shown = useSyncExternalStore(subscribe, read, read);
    return createElement(Shown, props);
  };
}
