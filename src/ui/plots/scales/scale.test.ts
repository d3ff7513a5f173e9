import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromFraction, toCategoryFraction, toEdge, toFraction, toFractions } from './scale.ts';
import { categoryAxis, numberAxis } from './axes.fixture.ts';

const rate = numberAxis('rate', 'lr', 1e-5, 1e-1);
const loss = numberAxis('number', 'loss', 0, 2);

describe('places', () => {
  it('are even over decades, or over values', () => {
    expect([1e-5, 1e-3, 1e-1].map((value) => Math.round(toFraction(rate, value) * 100))).toEqual([0, 50, 100]);
    expect([0, 1, 2].map((value) => toFraction(loss, value))).toEqual([0, 0.5, 1]);
  });

  it('stay on the axis', () => {
    expect([toFraction(rate, 0), toFraction(rate, -3), toFraction(rate, 5), toFraction(loss, -1)]).toEqual([
      0, 0, 1, 0,
    ]);
  });

  it('and values lead to each other, over the whole range of numbers', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(finite, finite, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (a, b, isRate, at) => {
        fc.pre(a !== b);
        const axis = numberAxis(isRate ? 'rate' : 'number', 'a', a, b);
        expect(toFraction(axis, axis.min)).toBeLessThanOrEqual(toFraction(axis, axis.max));
        const value = fromFraction(axis, at);
        expect(value >= axis.from && value <= axis.to).toBe(true);
      }),
    );
    for (const at of [0, 0.2, 0.7, 1])
      for (const axis of [rate, loss]) expect(toFraction(axis, fromFraction(axis, at))).toBeCloseTo(at, 9);
  });

  it('of categories are the middles of bands, from the top; across from the left; missing ones have none', () => {
    const axis = categoryAxis('type', 'full', 'lora', null);
    expect(toFractions(axis)).toEqual([0.75, 0.25, null]);
    expect(toFractions(axis, true)).toEqual([0.25, 0.75, null]);
    expect(toCategoryFraction(categoryAxis('one', 'a'), 0)).toBe(0.5);
    expect(toFractions(numberAxis('number', 'n', 0, null, 2))).toEqual([0, null, 1]);
  });
});

describe('edges of a selection', () => {
  it('have no more digits than the pixels tell apart', () => {
    expect(String(toEdge(loss, 0.123456789, 200)).length).toBeLessThanOrEqual(6);
    expect(toEdge(rate, 0.5, 200).toExponential().length).toBeLessThan(9);
    expect(toEdge(numberAxis('count', 'n', 1, 5), 0.4, 100)).toBe(3);
  });

  it('stay within a pixel of their place', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 40, max: 500 }), (at, pixels) => {
        for (const axis of [rate, loss])
          expect(Math.abs(toFraction(axis, toEdge(axis, at, pixels)) - at)).toBeLessThanOrEqual(1.01 / pixels);
      }),
    );
  });
});
