// A part of the page whose code loads when it is first shown. If the code does not load, the part shows an error in its
// place, and the rest of the page stays.
import { createElement, lazy, useState, useSyncExternalStore, type ComponentType, type FunctionComponent } from 'react';
import { LoadErrorPart } from './LoadErrorPart.tsx';

/** Replaces a part whose code did not load. `name` is the part, as a noun: "The plot". */
export const toLost =
  (name: string, onRetry?: () => void): FunctionComponent<object> =>
  () =>
    createElement(LoadErrorPart, { name, onRetry });

/** Renders within this time still belong to the failed load: loading again at once would never end. */
const LEAST_MS = 1000;

/** Whether the service answers, so that missing code is not its fault. */
const doesAnswer = (): Promise<boolean> =>
  fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Suspends until the code has loaded. After a failure it loads again on request, and when the part is shown again. Some
 * browsers cache the failure of a module: if a request fails again while the service answers, the page reloads.
 */
export function toLazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const watchers = new Set<() => void>();
  let lostAt: number | null = null;
  let isRequested = false;
  const fetchAgain = (): void => {
    lostAt = null;
    View = open();
  };
  const openAnew = (): void => {
    if (lostAt !== null && performance.now() - lostAt > LEAST_MS) fetchAgain();
  };
  const Lost: FunctionComponent<Props> = toLost(name, () => {
    isRequested = true;
    fetchAgain();
    for (const watcher of watchers) watcher();
  });
  const open = () =>
    lazy(async (): Promise<{ default: ComponentType<Props> }> => {
      try {
        return { default: await load() };
      } catch {
        if (isRequested && (await doesAnswer())) window.location.reload();
        isRequested = false;
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
