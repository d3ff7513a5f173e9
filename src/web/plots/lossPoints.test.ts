import * as fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toCurveLook } from './curveLook.ts';
import { LossCurves } from './LossCurves.tsx';
import {
  findLossCut,
  findPointAt,
  toEndLabels,
  toLossFacts,
  toLossRange,
  toSmooth,
  toSpread,
  toStretches,
  toThinned,
  type LossPoint,
} from './lossPoints.ts';
import { readAt, toLossLayout, toLossText, toStepText } from './lossLayout.ts';

const points = (...losses: number[]): LossPoint[] => losses.map((loss, index) => ({ step: (index + 1) * 10, loss }));
const series = (...losses: number[]) => ({ key: 'a', label: 'a', series: 0, points: points(...losses) });
const diverged = series(4, 2, 50, Number.NaN, Infinity, 3);

afterEach(() => vi.unstubAllGlobals());

describe('a curve', () => {
  it('breaks where a loss is no number', () => {
    expect(toStretches(diverged.points).map((stretch) => stretch.map(({ loss }) => loss))).toEqual([[4, 2, 50], [3]]);
    expect(toStretches(points(Number.NaN))).toEqual([]);
  });

  it('is told by its first, lowest and last loss', () => {
    expect(toLossFacts(diverged)).toEqual({ first: 4, lowest: 2, last: 3, lastFinite: 3, brokenAt: 40 });
    expect(toLossFacts(series())).toEqual({ first: null, lowest: null, last: null, lastFinite: null, brokenAt: null });
    expect(toLossFacts(series(Number.NaN))).toMatchObject({ first: Number.NaN, lowest: null, brokenAt: 10 });
  });

  it('has a range of finite losses only', () => {
    expect(toLossRange([diverged, series(1)])).toEqual({ steps: 60, min: 1, max: 50 });
    expect(toLossRange([series(Number.NaN)])).toBeNull();
    expect(toLossRange([])).toBeNull();
  });

  it('is smoothed without a bias at its start, and anew after a break', () => {
    expect(toSmooth(points(5, 5, 5), 0.9).map(({ loss }) => Math.round(loss * 1e9) / 1e9)).toEqual([5, 5, 5]);
    const smooth = toSmooth(diverged.points, 0.9).map(({ loss }) => loss);
    expect(smooth[1]).toBeGreaterThan(2);
    expect(smooth[3]).toBeNaN();
    expect(smooth[5]).toBeCloseTo(3, 9);
  });

  it('keeps its ends, its lowest and its highest point when it is thinned', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 400 }),
        fc.integer({ min: 1, max: 40 }),
        (losses, pixels) => {
          const all = points(...losses);
          const thin = toThinned(all, pixels);
          const low = (list: readonly LossPoint[]) => Math.min(...list.map(({ loss }) => loss));
          const high = (list: readonly LossPoint[]) => Math.max(...list.map(({ loss }) => loss));
          expect([thin[0], thin.at(-1), low(thin), high(thin)]).toEqual([all[0], all.at(-1), low(all), high(all)]);
          expect(thin.every((point, index) => index === 0 || point.step > (thin[index - 1]?.step ?? 0))).toBe(true);
          expect(thin.length).toBeLessThanOrEqual(Math.max(pixels * 2, (pixels + 1) * 2 + 2));
        },
      ),
    );
  });

  it('is read at the nearest step, not beyond its ends', () => {
    const list = points(1, 2, 3);
    expect([10, 14, 16, 30, 33].map((step) => findPointAt(list, step, 3)?.loss)).toEqual([1, 1, 2, 3, 3]);
    expect([findPointAt(list, 40, 3), findPointAt(list, 2, 3), findPointAt([], 1, 3)]).toEqual([null, null, null]);
  });
});

describe('labels at the ends', () => {
  it('move apart and stay inside', () => {
    expect(toSpread([50, 51, 90], 12, 0, 100)).toEqual([50, 62, 90]);
    expect(toSpread([98, 99, 100], 12, 0, 100)).toEqual([76, 88, 100]);
    expect(toSpread([], 12, 0, 100)).toEqual([]);
  });

  it('give way only to those that end near them', () => {
    const room = { width: 40, gap: 12, top: 0, bottom: 100 };
    expect(
      toEndLabels(
        [
          { x: 300, y: 50 },
          { x: 100, y: 50 },
          { x: 310, y: 51 },
        ],
        room,
      ),
    ).toEqual([
      { x: 100, y: 50 },
      { x: 300, y: 50 },
      { x: 310, y: 62 },
    ]);
  });
});

describe('the layout', () => {
  const box = { left: 0, right: 600, top: 0, bottom: 100 };
  const view = { isLog: false, isShare: false, isSmooth: false };
  const short = { key: 'b', label: 'b', series: 1, points: points(1, 1, 1) };
  const range = toLossRange([diverged, short])!;

  it('draws each stretch, marks where losses stop being numbers, and knows the last loss', () => {
    const [curve] = toLossLayout([diverged, short], range, view, box).curves;
    expect(curve?.path.match(/M/g)).toHaveLength(2);
    expect(curve?.path).toContain('h0');
    expect(curve?.broken).toEqual([400]);
    expect(curve?.end).toMatchObject({ x: 600, text: '3' });
  });

  it('says at the end of a run whose last step has no finite loss that it diverged', () => {
    const ends = [series(4, 1.99, Number.NaN), series(4, Number.NaN, 1.5)].map(
      (entry) => toLossLayout([entry], toLossRange([entry])!, view, box).curves[0]?.end?.text,
    );
    expect(ends).toEqual(['diverged', '1.5']);
  });

  it('is logarithmic only where every loss is above 0', () => {
    expect(toLossLayout([diverged], range, { ...view, isLog: true }, box).y.scale).toBe('log');
    expect(toLossLayout([diverged], { ...range, min: 0 }, { ...view, isLog: true }, box).y.scale).toBe('linear');
  });

  it('puts runs of different length over each other as shares', () => {
    const layout = toLossLayout([diverged, short], range, { ...view, isShare: true }, box);
    expect(layout.curves.map((curve) => curve.end?.x)).toEqual([600, 600]);
    expect(layout.x.ticks.map((tick) => tick.label)).toEqual(['0%', '25%', '50%', '75%', '100%']);
  });

  it('reads all curves that are still running', () => {
    const layout = toLossLayout([diverged, short], range, view, box);
    expect(readAt(layout, 0.5)).toEqual({
      step: 30,
      readings: [
        { key: 'a', loss: 50 },
        { key: 'b', loss: 1 },
      ],
    });
    expect(readAt(layout, 1).readings.map(({ key }) => key)).toEqual(['a']);
  });
});

it('says what × means, and the last finite loss, only where a loss is not finite', () => {
  vi.stubGlobal('window', {});
  const show = (...losses: number[]) =>
    renderToStaticMarkup(createElement(LossCurves, { label: 'Losses', series: [series(...losses)] }));
  const html = show(4, 1.99, Number.NaN);
  expect(html).toContain('End label: loss of the final step. × marks where a loss is not finite');
  expect(html).toMatch(/not finite from step \d+; last finite loss 1\.99/);
  for (const other of [show(4, 2), show(Number.NaN)]) {
    expect(other).not.toContain('× marks');
    expect(other).not.toContain('last finite loss');
  }
});

it('words and looks', () => {
  expect([toStepText(240.4, false), toStepText(0.4, true), toLossText(Number.NaN), toLossText(1.23456)]).toEqual([
    'step 240',
    '40% of training',
    'not finite',
    '1.235',
  ]);
  expect(toCurveLook(1)).toEqual({ stroke: 'var(--s2)', strokeDasharray: 'none' });
  expect(toCurveLook(9)).toEqual({ stroke: 'var(--s2)', strokeDasharray: '6 3' });
  expect(toCurveLook(null).stroke).toBe('var(--soft)');
});

it('one diverged run is cut off, so that it does not flatten the others', () => {
  const toSeries = (label: string, losses: readonly number[]) => ({
    key: label,
    label,
    series: null,
    points: losses.map((loss, step) => ({ step, loss })),
  });
  const usual = [4, 1, 0.5, 0.4, 0.3];
  const runs = [toSeries('A', usual), toSeries('B', usual), toSeries('C', [4, 900, 1200, Number.NaN, 2500])];
  expect(findLossCut(runs)).toEqual({ above: 4, points: 3, runs: ['C'] });
  expect(findLossCut(runs.slice(0, 2))).toBeNull();
});

it('a plot with one diverged run is cut and says whose values are left out', () => {
  vi.stubGlobal('window', {});
  const toSeries = (label: string, losses: readonly number[]) => ({
    key: label,
    label,
    series: null,
    points: losses.map((loss, step) => ({ step, loss })),
  });
  const show = (...all: readonly (readonly number[])[]): string =>
    renderToStaticMarkup(
      createElement(LossCurves, { label: 'Losses', series: all.map((each, at) => toSeries(`Run ${at}`, each)) }),
    ).replaceAll(/<[^>]+>/g, ' ');
  const usual = [2, 1, 0.5, 0.4, 0.3];
  expect(show(usual, usual, [2, 900, 1200, 2500, 2500])).toContain('▲ Cut off: 4 points above 2, of Run 2.');
  // Values over several powers of ten get a logarithmic scale, which has room for all.
  expect(show([50, 1, 0.5, 1e-3, 1e-4])).not.toContain('Cut off');
  expect(show(usual)).not.toContain('Cut');
});
