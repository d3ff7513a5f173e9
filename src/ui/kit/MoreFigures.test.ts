import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { MoreFigures } from './MoreFigures.tsx';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  [false, /^<details>/],
  [true, /^<details open=""/],
])('on paper (%s) nothing is folded away', (matches, expected) => {
  vi.stubGlobal('window', { matchMedia: () => ({ matches }) });
  expect(
    renderToStaticMarkup(createElement(() => MoreFigures({ title: 'More figures, 4', children: 'f9 1' }))),
  ).toMatch(expected);
});
