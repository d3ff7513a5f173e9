import { describe, expect, it } from 'vitest';
import { toListPlace } from './listPlace.ts';

const VIEWPORT = { width: 1000, height: 800 };
const field = (left: number, top: number) => ({ left, top, width: 200, height: 28 });

describe('a list', () => {
  it('hangs below its field', () => {
    expect(toListPlace(field(100, 100), { width: 300, height: 200 }, VIEWPORT)).toEqual({
      left: 100,
      top: 132,
      bottom: null,
      maxHeight: 352,
    });
  });

  it('stands above the field, its lower edge fixed, when there is more room', () => {
    expect(toListPlace(field(100, 700), { width: 300, height: 200 }, VIEWPORT)).toEqual({
      left: 100,
      top: null,
      bottom: 104,
      maxHeight: 352,
    });
  });

  it('stays below, and scrolls, when above is even less room', () => {
    const low = { width: 1000, height: 300 };
    expect(toListPlace(field(100, 100), { width: 300, height: 900 }, low)).toEqual({
      left: 100,
      top: 132,
      bottom: null,
      maxHeight: 160,
    });
  });

  it('does not leave the viewport sideways, and a short one below needs no more than it has', () => {
    expect(toListPlace(field(900, 100), { width: 300, height: 200 }, VIEWPORT).left).toBe(692);
    expect(toListPlace(field(-50, 100), { width: 300, height: 200 }, VIEWPORT).left).toBe(8);
    expect(toListPlace(field(0, 740), { width: 300, height: 10 }, VIEWPORT).top).toBe(772);
  });
});
