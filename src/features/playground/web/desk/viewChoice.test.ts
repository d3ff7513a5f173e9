import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let kept: Map<string, string>;
let isBroken: boolean;

function guard<T>(act: () => T): T {
  if (isBroken) throw new DOMException('denied', 'SecurityError');
  return act();
}

/** A new visit: whether parameters are shown at its start, and the way to change that. */
async function visit(): Promise<{ readonly isOpen: boolean; readonly showParameters: (isOpen: boolean) => void }> {
  vi.resetModules();
  const { showParameters, useParametersOpen } = await import('./viewChoice.ts');
  const Shown = () => String(useParametersOpen());
  return { isOpen: renderToStaticMarkup(createElement(Shown)) === 'true', showParameters };
}

beforeEach(() => {
  kept = new Map();
  isBroken = false;
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => guard(() => kept.get(key) ?? null),
    setItem: (key: string, value: string) => guard(() => void kept.set(key, value)),
  });
});

afterEach(() => vi.unstubAllGlobals());

it('folds parameters until somebody opens them, and keeps the choice', async () => {
  const first = await visit();
  expect(first.isOpen).toBe(false);
  first.showParameters(true);
  const second = await visit();
  expect(second.isOpen).toBe(true);
  second.showParameters(false);
  expect((await visit()).isOpen).toBe(false);
});

it.each(['', 'OPEN', '{}'])('folds parameters where the stored choice is %j', async (text) => {
  kept.set('studio.parameters', text);
  expect((await visit()).isOpen).toBe(false);
});

it('works in a browser that keeps nothing', async () => {
  isBroken = true;
  const { isOpen, showParameters } = await visit();
  expect(isOpen).toBe(false);
  expect(() => showParameters(true)).not.toThrow();
});
