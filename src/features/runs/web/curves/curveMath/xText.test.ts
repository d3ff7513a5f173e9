import { describe, expect, it } from 'vitest';
import { toXText, toXTicks } from './xText.ts';

it.each([
  ['step', 12_000, 'step 12,000'],
  ['epoch', 1.23456, 'epoch 1.235'],
  ['tokens', 2_000_000, '2,000,000 tokens'],
  ['elapsed', 185, '3 min 05 s'],
  ['step', Number.NaN, 'unknown'],
] as const)('writes %s %d as %s', (axis, x, text) => expect(toXText(axis, x)).toBe(text));

describe('toXTicks', () => {
  it('stays inside the range, with labels that differ', () => {
    const ticks = toXTicks('step', { from: 130, to: 270 });
    expect(ticks.every(({ value }) => value >= 130 && value <= 270)).toBe(true);
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    expect(ticks.length).toBeGreaterThan(1);
  });

  it('shortens large numbers', () => {
    expect(toXTicks('tokens', { from: 0, to: 4e6 }).map(({ label }) => label)).toContain('2M');
  });

  it('counts time in whole units', () => {
    expect(toXTicks('elapsed', { from: 0, to: 3600 }).map(({ label }) => label)).toEqual([
      '0',
      '10 min 00 s',
      '20 min 00 s',
      '30 min 00 s',
      '40 min 00 s',
      '50 min 00 s',
      '1 h 00 min',
    ]);
  });

  it('has ticks for a week', () => {
    const start = Date.UTC(2026, 7, 20);
    expect(toXTicks('time', { from: start, to: start + 7 * 86_400_000 }).length).toBeGreaterThan(2);
  });
});
