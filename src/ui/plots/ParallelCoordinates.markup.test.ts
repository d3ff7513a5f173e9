import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PlotRow } from '#ui/plots/scales/axes.ts';
import { NO_BRUSH } from '#ui/plots/scales/brush.ts';
import { ParallelCoordinates } from './ParallelCoordinates.tsx';
import { ScatterPlot } from './ScatterPlot.tsx';

type Row = PlotRow & { readonly at: number };

const toRows = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => ({ key: `r${at}`, label: `Row ${at}`, series: at, at }));
const nothing = (): void => undefined;
const shared = (rows: readonly Row[], hoveredKey: string | null = null) => ({
  label: 'Plot',
  rows,
  controls: {
    brush: NO_BRUSH,
    onBrush: nothing,
    log: [],
    onLogToggle: nothing,
    hoveredKey,
    onHover: nothing,
    colors: { by: null, onBy: nothing, plain: 'Selected runs' },
  },
  columns: ['a', 'b'].map((id) => ({ id, label: id, kind: 'number' as const, read: (row: Row) => row.at })),
});
const drawLines = (rows: readonly Row[], hoveredKey?: string): string =>
  renderToStaticMarkup(createElement(ParallelCoordinates<Row>, shared(rows, hoveredKey)));
const drawSpots = (rows: readonly Row[], hoveredKey?: string): string =>
  renderToStaticMarkup(
    createElement(ScatterPlot<Row>, { ...shared(rows, hoveredKey), chosen: { x: 'a', y: 'b' }, onAxes: nothing }),
  );
const setPaper = (isPaper: boolean): unknown => vi.stubGlobal('window', { matchMedia: () => ({ matches: isPaper }) });
const countOf = (html: string, part: RegExp): number => html.match(part)?.length ?? 0;

afterEach(() => vi.unstubAllGlobals());

describe('on paper', () => {
  it.each([
    ['lines', drawLines],
    ['points', drawSpots],
  ] as const)('%s: nothing is left of what was pointed at', (_, draw) => {
    setPaper(false);
    const [plain, pointed] = [draw(toRows(3)), draw(toRows(3), 'r1')];
    expect(pointed).not.toBe(plain);
    setPaper(true);
    expect(draw(toRows(3), 'r1')).toBe(draw(toRows(3)));
  });
});

it('past eight selected lines are dashed and points hollow', () => {
  setPaper(false);
  const eight = toRows(8);
  const ten = toRows(10);
  expect([
    countOf(drawLines(eight), /stroke-dasharray="6 3"/g),
    countOf(drawLines(ten), /stroke-dasharray="6 3"/g),
  ]).toEqual([0, 2]);
  expect([
    countOf(drawSpots(eight), /fill:var\(--surface\)/g),
    countOf(drawSpots(ten), /fill:var\(--surface\)/g),
  ]).toEqual([0, 2]);
});

it('a plot with axes can be skipped by keys, first of all in it; one without has nothing to skip', () => {
  setPaper(false);
  expect(drawLines(toRows(2))).toMatch(/<figure[^>]*><button[^>]*>Skip the plot<\/button>/);
  expect(drawLines(toRows(1))).not.toContain('Skip');
});
