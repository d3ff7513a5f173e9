import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TOKENS_LIMITS, SEED_LIMITS } from '#core/contract/limits.ts';
import { SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { parseNumberText, stepNumber } from './numberText.ts';

const temperature = SAMPLING_PARAMETERS.temperature;
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
    ['+1.', 1],
    [' 1e-2 ', 0.01],
    ['-0', 0],
    ['', undefined],
    ['   ', undefined],
  ])('takes "%s"', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it.each(['2.01', '-0.01', '−1', 'abc', '1e999', 'NaN', 'Infinity', '0x1', '1 2', '--1', '1e'])(
    'refuses "%s" and says what is taken',
    (text) => {
      expect(value(text)).toBe(`Temperature must be a number from 0 to 2. “${text}” was not used.`);
    },
  );

  it('takes a typographic minus', () => {
    expect(value('−1.5', SAMPLING_PARAMETERS.presence_penalty)).toBe(-1.5);
  });

  it('keeps whole numbers whole and exact', () => {
    const seed = { label: 'Seed', ...SEED_LIMITS, isInteger: true };
    expect(value('7', seed)).toBe(7);
    expect(value('1.5', seed)).toBe('Seed must be a whole number. “1.5” was not used.');
    expect(value('9007199254740993', seed)).toContain('was not used');
    expect(value('0', { label: 'Max tokens', min: 1, max: Number.MAX_SAFE_INTEGER, isInteger: true })).toBe(
      'Max tokens must be a whole number of at least 1. “0” was not used.',
    );
  });

  it('reads back every number in range that it is given', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2, noNaN: true }), (x) => {
        expect(value(String(x))).toBe(x === 0 ? 0 : x);
      }),
    );
  });

  it('repeats only the start of a long text', () => {
    expect(value('x'.repeat(5000))).toHaveLength(
      'Temperature must be a number from 0 to 2. “” was not used.'.length + 24,
    );
  });
});

describe('numbers with marks between thousands', () => {
  const tokens = { label: 'Max tokens', min: 1, max: Number.MAX_SAFE_INTEGER, isInteger: true };
  const tolerance = { label: 'Tolerance', min: 0 };

  it.each([
    ['2,000', 2000],
    ['10,000', 10_000],
    ['1,234,567', 1_234_567],
    ['2 000', 2000],
    ['2\u202F000', 2000],
    ['2’000', 2000],
    ['2_000', 2000],
    ['1.234.567', 1_234_567],
  ])('a whole number %j is %d', (text, expected) => {
    expect(value(text, tokens)).toBe(expected);
  });

  it('takes the page’s own way to write a fraction, and a decimal comma that can be nothing else', () => {
    expect([
      value('1.234', tolerance),
      value('1,5', tolerance),
      value('0,125', tolerance),
      value('1,234.5', tolerance),
    ]).toEqual([1.234, 1.5, 0.125, 1234.5]);
    expect(value('1,5')).toBe(1.5);
  });

  it('refuses what can be read in two ways, and says how to write either', () => {
    expect(value('2,000', tolerance)).toBe(
      'Tolerance: “2,000” can be read as 2000 or as 2, so it was not used. Write 2000 or 2.',
    );
    expect(value('1.000', tokens)).toBe(
      'Max tokens: “1.000” can be read as 1 or as 1000, so it was not used. Write 1 or 1000.',
    );
  });

  it('names only readings that are in range', () => {
    expect(value('1,000')).toBe('Temperature: “1,000” can be read as 1000 or as 1, so it was not used. Write 1.');
    expect(value('3,000')).toBe('Temperature must be a number from 0 to 2. “3,000” was not used.');
    // As whole numbers only one of both is one.
    expect(value('1.500', tokens)).toBe(
      'Max tokens: “1.500” can be read as 1.5 or as 1500, so it was not used. Write 1500.',
    );
  });

  it('takes a point with nothing behind it wherever the number is in range', () => {
    for (const rule of [tokens, tolerance, { label: 'Seed', isInteger: true }]) expect(value('5.', rule)).toBe(5);
  });

  it('says the greatest whole number that a field takes', () => {
    expect(value('99999999999', { ...tokens, max: MAX_TOKENS_LIMITS.fieldMax })).toBe(
      'Max tokens must be a whole number from 1 to 2147483647. “99999999999” was not used.',
    );
    expect(value('99999999999999999999', { ...tokens, max: MAX_TOKENS_LIMITS.fieldMax })).toContain('1 to 2147483647');
    expect(value('2147483647', { ...tokens, max: MAX_TOKENS_LIMITS.fieldMax })).toBe(2_147_483_647);
  });

  it('takes no half of a grouped number', () => {
    for (const text of ['2,', '2,0', '2,00', '1,5', '12,34']) expect(value(text, tokens)).toContain('was not used');
  });

  it('asks for a number without its unit', () => {
    for (const text of ['50%', '$5', '10 tokens'])
      expect(value(text, tokens)).toContain('Write the number without a unit.');
  });

  it('shows nothing but what is sent: what was taken reads back as itself', () => {
    const typed = fc.stringMatching(/^[+-]?[\d., '_]{1,12}(e-?\d)?$/);
    for (const rule of [tokens, tolerance, temperature, { label: 'Seed', isInteger: true }]) {
      fc.assert(
        fc.property(typed, (text) => {
          const parsed = parseNumberText(text, rule);
          if (parsed.ok && parsed.value !== undefined)
            expect(parseNumberText(String(parsed.value), rule)).toEqual(parsed);
        }),
      );
    }
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (count) => {
        expect(value(count.toLocaleString('en-US'), tokens)).toBe(count);
      }),
    );
  });

  it('makes no number a thousandth or a thousandfold in silence', () => {
    const digits = fc.integer({ min: 1, max: 999 });
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 999 }), fc.constantFrom(',', '.'), (first, rest, mark) => {
        const group = String(rest).padStart(3, '0');
        const fraction = parseNumberText(`${first}${mark}${group}`, tolerance);
        expect(fraction).toEqual(
          mark === '.' ? { ok: true, value: Number(`${first}.${group}`) } : { ok: false, message: expect.any(String) },
        );
        const whole = parseNumberText(`${first}${mark}${group}`, tokens);
        expect(whole).toEqual(
          mark === ',' ? { ok: true, value: first * 1000 + rest } : { ok: false, message: expect.any(String) },
        );
      }),
    );
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
  expect(parseNumberText('99999999999999999999', { label: 'Seed', isInteger: true })).toMatchObject({
    ok: false,
    message: expect.stringContaining('at most 9007199254740991'),
  });
  expect(parseNumberText('-99999999999999999999', { label: 'Seed', isInteger: true }).ok).toBe(false);
});
