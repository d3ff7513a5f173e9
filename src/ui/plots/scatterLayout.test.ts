import { describe, expect, it } from 'vitest';
import { parseBrush } from '#ui/plots/scales/brush.ts';
import { toBrushText } from '#ui/plots/scales/brushText.ts';
import { toPlotSummary } from './plotSummary.ts';
import { findNearestSpot, toArea, toAxisLabels, toSpots } from './scatterLayout.ts';
import { toSpotText } from './spotWalk.ts';
import { categoryAxis, numberAxis } from '#ui/plots/scales/axes.fixture.ts';

const x = numberAxis('number', 'loss', 0, 2, 2, null, 1);
const y = categoryAxis('type', 'full', 'lora', 'lora', 'lora', null);
const area = { left: 100, right: 300, top: 0, bottom: 100, missingX: 80, missingY: 120 };
const spots = toSpots(x, y, area);
const rows = ['one', 'two', 'three', 'four', 'five'].map((label) => ({ key: label, label, series: null }));

describe('spots', () => {
  it('hold the rows at one place, from left to right; missing values stand outside', () => {
    expect(spots).toEqual([
      { x: 80, y: 75, rows: [3] },
      { x: 100, y: 25, rows: [0] },
      { x: 200, y: 120, rows: [4] },
      { x: 300, y: 75, rows: [1, 2] },
    ]);
  });

  it('are found by a close point', () => {
    expect([findNearestSpot(spots, 303, 70, 10), findNearestSpot(spots, 250, 70, 10)]).toEqual([3, null]);
  });

  it('are said with both values and how many are there', () => {
    expect(toSpotText(spots[3]!, rows, [x, y])).toBe('two: loss 2, type lora, 2 here');
    expect(toSpotText(spots[0]!, rows, [x, y])).toBe('four: loss not given, type lora');
  });
});

it('the area leaves room for missing values only where there are some', () => {
  const whole = numberAxis('number', 'n', 1, 2);
  expect(toArea(x, whole, 500, 300).left).toBeGreaterThan(toArea(whole, whole, 500, 300).left);
  expect(toArea(whole, x, 500, 300).bottom).toBeLessThan(toArea(whole, whole, 500, 300).bottom);
  expect(toArea(whole, whole, 0, 300).right).toBeGreaterThan(toArea(whole, whole, 0, 300).left);
});

it('labels that would touch are left out', () => {
  const many = categoryAxis('m', ...Array.from({ length: 20 }, (_, index) => `model ${index}`));
  expect(toAxisLabels(many, true, () => 0.19).map(({ text }) => text)).toEqual([
    'model 0',
    'model 4',
    'model 8',
    'model 12',
    'model 16',
  ]);
  expect(toAxisLabels(x, true, () => 0.01).map(({ text }) => text)).toEqual(['0', '0.5', '1', '1.5', '2']);
});

describe('a plot in words', () => {
  it('names axes with their range and selection, and each row while they are few', () => {
    const summary = toPlotSummary(rows, [x, y], parseBrush(['loss:1..', 'type=lora|']), 2, null);
    expect(summary.caption).toBe('5 rows, 2 of them inside the selection');
    expect(summary.axes.map(({ text }) => text)).toEqual([
      'from 0 to 2, linear, 1 not given; selected: at least 1',
      'full, lora, 1 not given; selected: lora or not given',
    ]);
    expect(summary.rows[3]).toEqual({ key: 'four', label: 'four', values: ['not given', 'lora'] });
    expect(
      toPlotSummary([...rows, ...rows, ...rows, ...rows, ...rows], [x, y], parseBrush([]), 25, null),
    ).toMatchObject({ caption: '25 rows', rows: [] });
  });

  it.each([
    ['a:1e-4..5e-4', 'from 1e-4 to 5e-4'],
    ['a:..8', 'at most 8'],
    ['a:..', 'any value'],
    ['a=', 'not given'],
  ])('%s is %s', (entry, text) => expect(toBrushText([...parseBrush([entry]).values()][0]!)).toBe(text));
});
