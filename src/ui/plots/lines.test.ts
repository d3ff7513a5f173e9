import { describe, expect, it } from 'vitest';
import { findNearestLine, toAxisPlaces, toLeftRoom, toLines, toPath, toPlotLayout } from './lines.ts';
import { parseBrush } from '#ui/plots/scales/brush.ts';
import { toColorToken, toIsOn, toMarks } from './rowStyles.ts';
import { categoryAxis, numberAxis } from '#ui/plots/scales/axes.fixture.ts';

const box = { top: 10, bottom: 110, missing: 130 };
const axes = [numberAxis('number', 'a', 0, 1, 2), numberAxis('number', 'b', 0, null, 2)];
const lines = toLines(axes, toAxisPlaces(2, 20, 220), box);
const all = () => true;

describe('lines', () => {
  it('have a height on each axis; missing values lie beneath', () => {
    expect([...lines.ys]).toEqual([110, 110, 60, 130, 10, 10]);
    expect(toPath(lines, 1)).toBe('M20 60L220 130');
  });

  it('spread their axes evenly; one axis stands in the middle', () => {
    expect(toAxisPlaces(3, 0, 100)).toEqual([0, 50, 100]);
    expect(toAxisPlaces(1, 0, 100)).toEqual([50]);
    expect(toAxisPlaces(0, 0, 100)).toEqual([]);
  });

  it('leave room for the categories of the first axis, within bounds', () => {
    expect(toLeftRoom(axes[0], 60)).toBe(60);
    expect(toLeftRoom(categoryAxis('m', 'a-model-of-17-chs', 'b'), 60)).toBeGreaterThan(100);
    expect(toLeftRoom(categoryAxis('m', 'x'.repeat(80)), 60)).toBeLessThan(150);
  });

  it('scroll where their axes need more room than there is', () => {
    const many = Array.from({ length: 10 }, (_, at) => numberAxis('number', String(at), 0, 1));
    expect(toPlotLayout(many, 400).width).toBeGreaterThan(700);
    expect(toPlotLayout(many, 2000)).toMatchObject({ width: 2000, xs: { 0: 62, 9: 1938 } });
  });

  it('give room to long names of axes and to missing values, and keep their height', () => {
    const [short, long] = ['rate', 'per_device_train_batch_size_of_a_run'].map((label) =>
      [label, 'b'].map((id) => Object.assign({}, numberAxis('number', id, 0, 1), { label: id })),
    );
    const [plain, named] = [toPlotLayout(short ?? [], 300).box, toPlotLayout(long ?? [], 300).box];
    expect(named).toEqual({ ...plain, top: plain.top + 14 });
    expect(toPlotLayout(axes, 300).box).toEqual({ ...plain, bottom: plain.bottom - 24 });
  });

  it('are found by a point close to them, between and beyond the axes', () => {
    expect(findNearestLine(lines, 120, 96, 8, all)).toBe(1);
    expect(findNearestLine(lines, 120, 108, 8, all)).toBe(0);
    expect(findNearestLine(lines, 120, 60, 8, all)).toBeNull();
    expect(findNearestLine(lines, 5, 12, 8, all)).toBe(2);
    expect(findNearestLine(lines, 300, 131, 8, all)).toBe(1);
    expect(findNearestLine(lines, 120, 108, 8, (row) => row !== 0)).toBeNull();
  });
});

describe('marks', () => {
  const rows = [
    { key: 'a', label: 'a', series: 0, value: 1 },
    { key: 'b', label: 'b', series: null, value: 5 },
    { key: 'c', label: 'c', series: 9, value: 5 },
    { key: 'd', label: 'd', series: null, value: 1 },
    { key: 'e', label: 'e', series: null, value: 5, isFaded: true },
  ];
  const columns = [
    { id: 'value', label: 'value', kind: 'number' as const, read: (row: (typeof rows)[number]) => row.value },
  ];
  const isOn = toIsOn(rows, columns, parseBrush(['value:4..', 'unknown=x']));

  it('are pale outside the brush, or where the caller says so', () => {
    expect(isOn).toEqual([false, true, true, false, false]);
  });

  it('are drawn pale first, selected last', () => {
    expect(toMarks(rows, isOn, null).map(({ row }) => row)).toEqual([3, 4, 0, 1, 2]);
  });

  it('repeat their eight colours', () => {
    expect([0, 7, 9, null].map((series) => toColorToken({ series, isFaded: false, tint: null }))).toEqual([
      '--series-1',
      '--series-8',
      '--series-2',
      '--soft',
    ]);
  });
});
