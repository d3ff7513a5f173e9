import { describe, expect, it } from 'vitest';
import { NO_VALUE } from './coloring.ts';
import { toCurveLook } from './curveLook.ts';
import {
  toBatches,
  toColorToken,
  toDashes,
  toLineWidth,
  toMarkCounts,
  toMarks,
  toOpacity,
  toSpotLook,
  type Mark,
} from './rowStyles.ts';

const mark = (more: Partial<Mark> = {}): Mark => ({ row: 0, isFaded: false, series: null, tint: null, ...more });
const look = (entry: Mark): string =>
  [toColorToken(entry), toOpacity(entry, 300), toLineWidth(entry), toDashes(entry).join(' ')].join();

describe('lines drawn in one stroke', () => {
  it('look alike: a selected one among others of its value stands by itself', () => {
    const marks = [
      mark({ tint: '--scale-1' }),
      mark({ tint: '--scale-1' }),
      mark({ tint: '--scale-1', series: 0 }),
      mark({ tint: '--scale-2', series: 1 }),
    ];
    expect(toBatches(marks, 40).map((batch) => batch.length)).toEqual([2, 1, 1]);
    const pale = [mark({ isFaded: true }), mark({ isFaded: true, series: 0 }), mark({ isFaded: true, series: 8 })];
    const rounds = [mark({ series: 0 }), mark({ series: 8 }), mark({ series: 16 })];
    expect(toBatches(rounds, 40)).toHaveLength(3);
    for (const batch of [...toBatches(marks, 40), ...toBatches(pale, 40)])
      expect(new Set(batch.map(look)).size).toBe(1);
  });

  it('are no more than so many, in their order, none lost', () => {
    const marks = toMarks(
      Array.from({ length: 100 }, (_, row) => ({ key: `${row}`, label: '', series: row % 7 === 0 ? row : null })),
      Array.from({ length: 100 }, (_, row) => row % 3 > 0),
      null,
    );
    const batches = toBatches(marks, 10);
    expect(batches.flat()).toEqual(marks);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(10);
    expect(toBatches([], 10)).toEqual([]);
  });
});

describe('opacity', () => {
  const counts = [1, 60, 200, 2_000, 10_000, 100_000];
  const plain = counts.map((count) => toOpacity(mark(), count));
  const tinted = counts.map((count) => toOpacity(mark({ tint: '--scale-1' }), count));
  const faded = counts.map((count) => toOpacity(mark({ isFaded: true }), count));

  it('falls with the number of lines, of plain ones the most, so that 10,000 are no solid block', () => {
    expect(plain[0]).toBe(plain[1]);
    for (const list of [plain, tinted, faded]) {
      for (const [place, value] of list.slice(2).entries()) expect(value).toBeLessThan(list[place + 1]!);
    }
    expect(plain[4]).toBeLessThan(0.04);
    expect(tinted[4]).toBeGreaterThan(4 * plain[4]!);
    // Eight bits of a colour: fainter strokes would leave nothing at all.
    expect(plain[4]! * 255).toBeGreaterThan(4);
  });

  it('is whole for what is selected, however many there are', () => {
    for (const count of counts) expect(toOpacity(mark({ series: 0 }), count)).toBe(1);
  });

  it('counts lines inside the brush and outside apart', () => {
    expect(toMarkCounts([mark(), mark({ isFaded: true }), mark({ series: 1 })])).toEqual({ on: 2, faded: 1 });
  });
});

it('a selected point has a ring where colours are by value, also where it has none', () => {
  expect(toSpotLook(mark({ tint: '--scale-1', series: 0 }))).toEqual({ fill: '--scale-1', stroke: '--ink', width: 1 });
  expect(toSpotLook(mark({ tint: NO_VALUE, series: 0 }))).toEqual({ fill: null, stroke: '--ink', width: 1 });
  expect(toSpotLook(mark({ tint: NO_VALUE }))).toEqual({ fill: null, stroke: NO_VALUE, width: 1 });
  expect(toSpotLook(mark({ tint: '--scale-1', series: 0, isFaded: true }))).toEqual({
    fill: '--line-strong',
    stroke: null,
    width: 1,
  });
  expect(toSpotLook(mark({ series: 2 }))).toEqual({ fill: '--series-3', stroke: null, width: 1 });
});

describe('more selected than colours', () => {
  const all = Array.from({ length: 24 }, (_, series) => mark({ series }));

  it('no two of 24 look alike, neither as lines nor as points; lines are dashed as loss curves are', () => {
    expect(new Set(all.map(look)).size).toBe(24);
    expect(new Set(all.map((entry) => JSON.stringify(toSpotLook(entry)))).size).toBe(24);
    for (const { series, ...rest } of all)
      expect(toDashes({ series, ...rest }).join(' ') || 'none').toBe(toCurveLook(series).strokeDasharray);
    expect(new Set(all.map((entry) => look({ ...entry, isFaded: true }))).size).toBe(24);
  });

  it('dashes and hollow points mean “no value” alone where colours are by value', () => {
    for (const series of [0, 8, 16]) {
      expect(toDashes(mark({ series, tint: '--scale-1' }))).toEqual([]);
      expect(toSpotLook(mark({ series, tint: '--scale-1' }))).toEqual(
        toSpotLook(mark({ series: 0, tint: '--scale-1' })),
      );
      expect(toDashes(mark({ series, tint: NO_VALUE }))).toEqual(toDashes(mark({ tint: NO_VALUE })));
    }
    expect(toDashes(mark({ tint: NO_VALUE }))).not.toEqual([]);
    expect(toDashes(mark())).toEqual([]);
  });
});
