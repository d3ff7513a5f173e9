import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAMPLING_LIMITS, SEED_LIMITS } from '../contract/limits';
import { parseNumberText, stepNumber } from './numberText';

const temperature = SAMPLING_LIMITS.temperature;
const value = (text: string, rule: Parameters<typeof parseNumberText>[1] = temperature) => {
  const parsed = parseNumberText(text, rule);
  return parsed.ok ? parsed.value : parsed.message;
};

describe('parseNumberText', () => {
  it.each([
    ['0', 0],
    ['2', 2],
    ['0.70', 0.7],
    ['0,7', 0.7],
    ['.5', 0.5],
    ['1.', 1],
    [' 1e-2 ', 0.01],
    ['-0', 0],
    ['', undefined],
    ['   ', undefined],
  ])('takes "%s"', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it.each(['2.01', '-0.01', '−1', 'abc', '1e999', 'NaN', 'Infinity', '0x1', '1 2', '--1', '1e'])('refuses "%s" and says what is taken', (text) => {
    expect(value(text)).toBe(`Temperature takes a number from 0 to 2; “${text}” was not taken.`);
  });

  it('takes a typographic minus', () => {
    expect(value('−1.5', SAMPLING_LIMITS.presence_penalty)).toBe(-1.5);
  });

  it('keeps whole numbers whole and exact', () => {
    const seed = { label: 'Seed', ...SEED_LIMITS, isInteger: true };
    expect(value('7', seed)).toBe(7);
    expect(value('1.5', seed)).toBe('Seed takes a whole number; “1.5” was not taken.');
    expect(value('9007199254740993', seed)).toContain('was not taken');
    expect(value('0', { label: 'Max tokens', min: 1, max: Number.MAX_SAFE_INTEGER, isInteger: true })).toBe('Max tokens takes a whole number of at least 1; “0” was not taken.');
  });

  it('reads back every number in range that it is given', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2, noNaN: true }), (x) => {
        expect(value(String(x))).toBe(x === 0 ? 0 : x);
      }),
    );
  });

  it('repeats only the start of a long text', () => {
    expect(value('x'.repeat(5000))).toHaveLength('Temperature takes a number from 0 to 2; “” was not taken.'.length + 24);
  });
});

describe('stepNumber', () => {
  it('steps without binary noise and stays in range', () => {
    expect(stepNumber(0.1, 0.1, 1, temperature)).toBe(0.2);
    expect(stepNumber(0.3, 0.1, -1, temperature)).toBe(0.2);
    expect(stepNumber(2, 0.01, 1, temperature)).toBe(2);
    expect(stepNumber(0, 0.01, -1, temperature)).toBe(0);
    expect(stepNumber(5, 1, 1, { label: 'Free' })).toBe(6);
  });
});

it('names the largest whole number where one is too big', () => {
  expect(parseNumberText('99999999999999999999', { label: 'Seed', isInteger: true })).toMatchObject({ ok: false, message: expect.stringContaining('at most 9007199254740991') });
  expect(parseNumberText('-99999999999999999999', { label: 'Seed', isInteger: true }).ok).toBe(false);
});
