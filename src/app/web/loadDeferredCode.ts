// When the code of the page loads:
// 1. With the page: what main.tsx imports, so that the tree can be used. One file.
// 2. Once the tree is painted, or at the first press, key or dragged file: later.ts. One file.
// 3. When it is first shown: everything else that is imported with `import()`.
import { startTransition, useEffect, useState } from 'react';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import type { later } from './deferredCode.ts';

type Later = typeof later;

/** The longest wait for a moment in which the browser has nothing to do. */
const LONGEST_MS = 500;
const SHORT_MS = 50;

let hasBegun = false;
let begin: () => void = () => undefined;
const isTime = new Promise<void>((resolve) => {
  begin = () => {
    hasBegun = true;
    resolve();
  };
});

for (const type of ['pointerdown', 'keydown', 'dragenter'])
  window.addEventListener(type, () => begin(), { once: true, capture: true });

/**
 * `isThere`: what the person came for is on the page. True once it is painted: then the rest may load, and be drawn in a
 * pass that keys and clicks can interrupt.
 */
export function useIsLater(isThere: boolean): boolean {
  const [isLater, setLater] = useState(hasBegun);
  useEffect(() => {
    if (!isThere) return;
    // Safari has no idle callbacks.
    if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(begin, { timeout: LONGEST_MS });
    else setTimeout(begin, SHORT_MS);
    void isTime.then(() => startTransition(() => setLater(true)));
  }, [isThere]);
  return isLater;
}

/** A part of later.ts. Rejects if its code does not load. */
async function load<Name extends keyof Later>(name: Name): Promise<Later[Name]> {
  await isTime;
  return (await import('./deferredCode.ts')).later[name];
}

export const loadLateOverlay = () => load('DeferredOverlay');
export const NextActions = toLazyPart('The export', () => load('NextActions'));
export const Overview = toLazyPart('The overview', () => load('Overview'));
export const Playground = toLazyPart('The playground', () => load('Playground'));
export const RootPath = toLazyPart('The folder', () => load('RootPath'));
export const SinceVisit = toLazyPart('What changed since the last visit', () => load('SinceVisit'));
