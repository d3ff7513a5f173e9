import { describe, expect, it } from 'vitest';
import { NO_VALUE } from './coloring';
import { toBatches, toColorToken, toLineWidth, toMarkCounts, toMarks, toOpacity, toSpotLook, type Mark } from './marks';

const mark = (more: Partial<Mark> = {}): Mark => ({ row: 0, isFaded: false, series: null, tint: null, ...more });
const look = (entry: Mark): string => [toColorToken(entry), toOpacity(entry, 300), toLineWidth(entry)].join();

describe('lines drawn in one stroke', () => {
  it('look alike: a selected one among others of its value stands by itself', () => {
    const marks = [mark({ tint: '--n1' }), mark({ tint: '--n1' }), mark({ tint: '--n1', series: 0 }), mark({ tint: '--n2', series: 1 })];
    expect(toBatches(marks, 40).map((batch) => batch.length)).toEqual([2, 1, 1]);
    const pale = [mark({ isFaded: true }), mark({ isFaded: true, series: 0 }), mark({ isFaded: true, series: 8 })];
    for (const batch of [...toBatches(marks, 40), ...toBatches(pale, 40)]) expect(new Set(batch.map(look)).size).toBe(1);
  });

  it('are no more than so many, in their order, none lost', () => {
    const marks = toMarks(Array.from({ length: 100 }, (_, row) => ({ key: `${row}`, label: '', series: row % 7 === 0 ? row : null })), Array.from({ length: 100 }, (_, row) => row % 3 > 0), null);
    const batches = toBatches(marks, 10);
    expect(batches.flat()).toEqual(marks);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(10);
    expect(toBatches([], 10)).toEqual([]);
  });
});

describe('opacity', () => {
  const counts = [1, 60, 200, 2_000, 10_000, 100_000];
  const plain = counts.map((count) => toOpacity(mark(), count));
  const tinted = counts.map((count) => toOpacity(mark({ tint: '--n1' }), count));
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
  expect(toSpotLook(mark({ tint: '--n1', series: 0 }))).toEqual({ fill: '--n1', stroke: '--ink' });
  expect(toSpotLook(mark({ tint: NO_VALUE, series: 0 }))).toEqual({ fill: null, stroke: '--ink' });
  expect(toSpotLook(mark({ tint: NO_VALUE }))).toEqual({ fill: null, stroke: NO_VALUE });
  expect(toSpotLook(mark({ tint: '--n1', series: 0, isFaded: true }))).toEqual({ fill: '--line2', stroke: null });
  expect(toSpotLook(mark({ series: 2 }))).toEqual({ fill: '--s3', stroke: null });
});
