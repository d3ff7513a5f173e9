import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LossCurves } from './LossCurves.tsx';
import { toCurve } from '#features/runs/web/curves/curveMath/lines.fixture.ts';

// On paper the curves are part of the markup.
beforeEach(() => {
  vi.stubGlobal('window', { matchMedia: () => ({ matches: true }) });
});
afterEach(() => vi.unstubAllGlobals());

const show = (...all: readonly (readonly number[])[]): string => {
  const runs = all.map((_, at) => ({ id: `r${at}`, label: `Run ${at}` }));
  return renderToStaticMarkup(
    createElement(LossCurves, {
      label: 'Losses',
      curves: all.map((values, at) => toCurve(values, { run: `r${at}` })),
      runs,
      colors: new Map(runs.map(({ id }, at) => [id, at])),
    }),
  ).replaceAll(/<[^>]+>/g, ' ');
};
const usual = [2, 1, 0.5, 0.4, 0.3];

it('one diverged run is cut off, so that it does not flatten the others, and the plot names it', () => {
  const words = show(usual, usual, [2, 900, 1200, 2500, 2500]);
  expect(words).toMatch(/1 run lies mostly outside: Run 2\. +Show all values /);
  expect(words).toContain('Cut off: 4 points above 2.');
  expect(show(usual, usual, [2, 1, 0.5, 0.4, 2500])).toContain('Cut off: 1 point above 2, of Run 2.');
  expect(show(usual)).not.toMatch(/Cut|outside|Show all/);
});

it('values over several powers of ten get a logarithmic axis, which has room for all', () => {
  const words = show([50, 1, 0.5, 1e-3, 1e-4]);
  expect(words).not.toContain('Cut off');
  expect(words).toMatch(/1e-4 .* 10 /);
  expect(show([50, 1, 0, 1e-3, 1e-4])).not.toContain('Log loss');
});

it('the legend says where a run stopped being finite, and gives no value of a step that a table’s mean differs from', () => {
  expect(show(usual)).toMatch(/Run 0\W*$/);
  expect(show([4, 1.99, Number.NaN])).toMatch(/Run 0 +not finite from step 2; last finite value 1\.99/);
  expect(show([Number.NaN])).not.toContain('last finite');
});

it('says that there is no loss', () => expect(show([])).toContain('There is no loss to show.'));
