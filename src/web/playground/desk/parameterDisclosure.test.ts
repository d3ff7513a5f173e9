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
async function visit(
  isWanted = true,
): Promise<{ readonly isOpen: boolean; readonly showParameters: (isOpen: boolean) => void }> {
  vi.resetModules();
  const { showParameters, useParametersOpen } = await import('./parameterDisclosure.ts');
  const Shown = () => String(useParametersOpen(isWanted));
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

it('shows parameters until somebody hides them, and keeps the choice', async () => {
  const first = await visit();
  expect(first.isOpen).toBe(true);
  first.showParameters(false);
  const second = await visit();
  expect(second.isOpen).toBe(false);
  second.showParameters(true);
  expect((await visit(false)).isOpen).toBe(true);
});

it('hides them where they are not wanted, as long as nobody has chosen', async () =>
  expect((await visit(false)).isOpen).toBe(false));

it.each(['', 'CLOSED', '{}'])('shows parameters where the stored choice is %j', async (text) => {
  kept.set('studio.parameters', text);
  expect((await visit()).isOpen).toBe(true);
});

it('works in a browser that keeps nothing', async () => {
  isBroken = true;
  const { isOpen, showParameters } = await visit();
  expect(isOpen).toBe(true);
  expect(() => showParameters(false)).not.toThrow();
});
