import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyEdge, moveEdge, type EdgePair } from './edgeMove.ts';

const PAIR: EdgePair = { left: 30, right: 40, minLeft: 14, minRight: 22 };

describe('moveEdge', () => {
  it.each([
    [35, { left: 35, right: 35 }],
    [10, { left: 14, right: 56 }],
    [6, { left: 0, right: 70 }],
    [-20, { left: 0, right: 70 }],
    [55, { left: 48, right: 22 }],
    [60, { left: 70, right: 0 }],
  ])('to %s', (to, widths) => expect(moveEdge(PAIR, to)).toEqual(widths));

  it('stays where the window is too small for both', () =>
    expect(moveEdge({ ...PAIR, minLeft: 40, minRight: 40 }, 35)).toEqual({ left: 30, right: 40 }));

  it('neither makes nor loses width', () => {
    const width = fc.double({ min: 1, max: 60, noNaN: true });
    fc.assert(
      fc.property(
        width,
        width,
        width,
        width,
        fc.double({ min: -50, max: 150, noNaN: true }),
        (left, right, minLeft, minRight, to) => {
          const moved = moveEdge({ left, right, minLeft, minRight }, to);
          expect(moved.left + moved.right).toBeCloseTo(left + right);
          expect(Math.min(moved.left, moved.right)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

it.each([
  ['ArrowLeft', 28],
  ['ArrowRight', 32],
  ['Home', 14],
  ['End', 48],
  ['Enter', null],
])('%s puts the edge at %s', (key, to) => expect(keyEdge(PAIR, key)).toBe(to));

it('keys never close a panel', () => {
  expect(keyEdge({ ...PAIR, left: 15 }, 'ArrowLeft')).toBe(14);
  expect(keyEdge({ ...PAIR, right: 23 }, 'ArrowRight')).toBe(31);
  expect(keyEdge({ left: 10, right: 16, minLeft: 21, minRight: 33.7 }, 'ArrowRight')).toBeNull();
  expect(keyEdge({ ...PAIR, left: 12 }, 'ArrowLeft')).toBe(12);
});
