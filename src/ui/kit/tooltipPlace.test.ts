import { describe, expect, it } from 'vitest';
import { toTooltipPlace } from './tooltipPlace.ts';

const viewport = { width: 1000, height: 600 };
const place = (left: number, top: number, bubble = { width: 100, height: 24 }) =>
  toTooltipPlace({ left, top, width: 28, height: 28 }, bubble, viewport);

describe('toTooltipPlace', () => {
  it('is centred under its element', () => {
    expect(place(500, 100)).toEqual({ left: 464, top: 134 });
  });

  it('goes above where there is no room below', () => {
    expect(place(500, 570).top).toBe(540);
  });

  it('stays inside sideways', () => {
    expect(place(0, 100).left).toBe(8);
    expect(place(980, 100).left).toBe(892);
    expect(place(500, 100, { width: 2000, height: 24 }).left).toBe(8);
  });

  it('stays below when it fits neither above nor below', () => {
    expect(toTooltipPlace({ left: 0, top: 10, width: 28, height: 28 }, { width: 10, height: 590 }, viewport).top).toBe(
      44,
    );
  });
});
