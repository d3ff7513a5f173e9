import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveRateChoice, loadRateChoice } from './rateChoice.ts';

const ONE = 'https://one.example';
const TWO = 'https://two.example';
let kept: Map<string, string>;
let isBroken: boolean;

function guard<T>(act: () => T): T {
  if (isBroken) throw new DOMException('denied', 'SecurityError');
  return act();
}

beforeEach(() => {
  kept = new Map();
  isBroken = false;
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => guard(() => kept.get(key) ?? null),
      setItem: (key: string, value: string) => guard(() => void kept.set(key, value)),
      removeItem: (key: string) => guard(() => void kept.delete(key)),
    },
  });
});
afterEach(() => {
  for (const connection of [ONE, TWO]) saveRateChoice(connection, null);
  vi.unstubAllGlobals();
});

describe('what a person said of a service', () => {
  it('is kept for that connection alone, and can be changed and taken back', () => {
    saveRateChoice(ONE, { means: 'factor', base: 2e-5 });
    expect([loadRateChoice(ONE), loadRateChoice(TWO)]).toEqual([{ means: 'factor', base: 2e-5 }, null]);
    saveRateChoice(ONE, { means: 'rate' });
    expect(loadRateChoice(ONE)).toEqual({ means: 'rate' });
    saveRateChoice(ONE, null);
    expect(loadRateChoice(ONE)).toBeNull();
    expect(kept.size).toBe(0);
  });

  it('outlives the page, and follows what another tab stored', () => {
    kept.set(`studio.rate:${ONE}`, '{"means":"rate"}');
    expect(loadRateChoice(ONE)).toEqual({ means: 'rate' });
    expect(loadRateChoice(ONE)).toBe(loadRateChoice(ONE));
    kept.set(`studio.rate:${ONE}`, '{"means":"factor","base":0.001}');
    expect(loadRateChoice(ONE)).toEqual({ means: 'factor', base: 0.001 });
  });

  it.each(['', 'rate', '{', '{"means":"factor"}', 'null', '[]'])(
    'is nothing where the stored text is damaged: %j',
    (text) => {
      kept.set(`studio.rate:${ONE}`, text);
      expect(loadRateChoice(ONE)).toBeNull();
    },
  );

  it('lives as long as the page where storage is switched off', () => {
    isBroken = true;
    expect(loadRateChoice(ONE)).toBeNull();
    saveRateChoice(ONE, { means: 'rate' });
    expect(loadRateChoice(ONE)).toEqual({ means: 'rate' });
  });
});
