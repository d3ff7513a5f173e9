import { describe, expect, it } from 'vitest';
import { moveDrag, startDrag, toChoice, toExtent, toggleValue } from './brushDrag.ts';
import { startRect, toRect, toRectBrush } from './rectDrag.ts';
import { NO_BRUSH, parseBrush, toBrushList } from '#ui/plots/scales/brush.ts';
import { categoryAxis, numberAxis } from '#ui/plots/scales/axes.fixture.ts';

const loss = numberAxis('number', 'loss', 0, 2);
const epochs = numberAxis('count', 'epochs', 0, 10);
const type = categoryAxis('type', 'a', 'b', 'c', 'd');
const half = { from: 0.25, to: 0.75 };

describe('a drag along an axis', () => {
  it('grips an edge, the whole, or begins anew', () => {
    const gripAt = (at: number) => startDrag(half, at, 0.05).grip;
    expect([0.22, 0.28, 0.5, 0.72, 0.78, 0.9].map(gripAt)).toEqual(['from', 'from', 'whole', 'to', 'to', 'new']);
    expect(startDrag(null, 0.5, 0.05).grip).toBe('new');
  });

  it('moves what it gripped', () => {
    const drag = (start: number, to: number) => moveDrag(startDrag(half, start, 0.05), to);
    expect(drag(0.25, 0.1)).toEqual({ from: 0.1, to: 0.75 });
    expect(drag(0.75, 2)).toEqual({ from: 0.25, to: 1 });
    expect(drag(0.5, 0.6)).toEqual({ from: 0.35, to: 0.85 });
    expect(drag(0.5, 5)).toEqual({ from: 0.5, to: 1 });
    expect(drag(0.25, 0.9)).toEqual({ from: 0.75, to: 0.9 });
    expect(drag(0.9, 0.8)).toEqual({ from: 0.8, to: 0.9 });
  });

  it('selects numbers; an end at the axis’ end is open, both ends open is all', () => {
    expect(toChoice(loss, half, 200)).toEqual({ kind: 'range', from: 0.5, to: 1.5 });
    expect(toChoice(loss, { from: 0, to: 0.5 }, 200)).toEqual({ kind: 'range', from: null, to: 1 });
    expect(toChoice(loss, { from: 0, to: 1 }, 200)).toBeNull();
    expect(toChoice(epochs, { from: 0.18, to: 0.61 }, 200)).toEqual({ kind: 'range', from: 2, to: 6 });
  });

  it('selects the categories inside, else the nearest one', () => {
    expect(toChoice(type, { from: 0.5, to: 1 }, 200)).toEqual({ kind: 'values', values: ['a', 'b'] });
    expect(toChoice(type, { from: 0.01, to: 0.02 }, 200)).toEqual({ kind: 'values', values: ['d'] });
    expect(toChoice(type, { from: 0, to: 1 }, 200)).toBeNull();
    expect(toChoice(categoryAxis('type', 'a', 'b', null), { from: 0, to: 1 }, 200)).toEqual({
      kind: 'values',
      values: ['a', 'b'],
    });
    expect(toChoice(type, { from: 0, to: 0.3 }, 200, true)).toEqual({ kind: 'values', values: ['a'] });
  });

  it('sees what is selected as a stretch, only where it is one', () => {
    expect(toExtent(loss, { kind: 'range', from: 0.5, to: null })).toEqual({ from: 0.25, to: 1 });
    expect(toExtent(loss, { kind: 'values', values: [''] })).toBeNull();
    expect(toExtent(type, { kind: 'values', values: ['a'] })).toBeNull();
  });

  it('toggles values one by one', () => {
    expect(toggleValue(undefined, 'a')).toEqual({ kind: 'values', values: ['a'] });
    expect(toggleValue({ kind: 'values', values: ['a', 'b'] }, 'a')).toEqual({ kind: 'values', values: ['b'] });
    expect(toggleValue({ kind: 'values', values: ['a'] }, 'a')).toBeNull();
    expect(toggleValue({ kind: 'range', from: 1, to: 2 }, '')).toEqual({ kind: 'values', values: [''] });
  });
});

describe('a drag over an area', () => {
  const axes = { x: loss, y: epochs };
  const pixels = { x: 200, y: 200 };
  const reach = { x: 0.03, y: 0.03 };
  const drag = (list: string[], from: [number, number], to: [number, number]) => {
    const brush = parseBrush(list);
    const gesture = startRect(
      toExtent(loss, brush.get('loss')),
      toExtent(epochs, brush.get('epochs')),
      { x: from[0], y: from[1] },
      reach,
    );
    return toBrushList(toRectBrush(brush, axes, gesture, { x: to[0], y: to[1] }, pixels));
  };

  it('selects on both axes', () => {
    expect(drag([], [0.25, 0.2], [0.75, 0.6])).toEqual(['loss:0.5..1.5', 'epochs:2..6']);
    expect(drag(['loss:0.5..1.5', 'epochs:2..6', 'other=x'], [0.9, 0.9], [0.8, 0.8])).toEqual([
      'loss:1.6..1.8',
      'epochs:8..9',
      'other=x',
    ]);
  });

  it('pulls one side or a corner, or moves the whole', () => {
    const both = ['loss:0.5..1.5', 'epochs:2..6'];
    expect(drag(both, [0.75, 0.4], [0.9, 0.9])).toEqual(['loss:0.5..1.8', 'epochs:2..6']);
    expect(drag(both, [0.75, 0.6], [0.9, 0.9])).toEqual(['loss:0.5..1.8', 'epochs:2..9']);
    expect(drag(both, [0.5, 0.4], [0.6, 0.5])).toEqual(['loss:0.7..1.7', 'epochs:3..7']);
  });

  it('leaves an axis alone that has no selection', () => {
    expect(drag(['loss:0.5..1.5'], [0.5, 0.4], [0.6, 0.9])).toEqual(['loss:0.7..1.7']);
  });

  it('shows a rectangle as soon as one axis has a stretch', () => {
    expect(toRect(NO_BRUSH, loss, epochs)).toBeNull();
    expect(toRect(parseBrush(['epochs:2..6']), loss, epochs)).toEqual({
      x: { from: 0, to: 1 },
      y: { from: 0.2, to: 0.6 },
    });
  });
});
