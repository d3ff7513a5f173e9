import { describe, expect, it } from 'vitest';
import { toIntegerRule, toNumberRule } from './numberRules.ts';
import type { Bound } from '#core/schema/numberBounds.ts';

/** These rules use literals, classes, groups and counts only, which a regular expression says almost the same way. */
function toRegExp(rule: string): RegExp {
  const body = rule.replace(/"([^"]*)"/g, (_match, text: string) => text.replace(/[.-]/g, '\\$&')).replaceAll(' ', '');
  return new RegExp(`^(?:${body})$`);
}

const at = (value: number): Bound => ({ value, isExclusive: false });
const beyond = (value: number): Bound => ({ value, isExclusive: true });

describe('toIntegerRule', () => {
  it.each([
    [at(0), at(9)],
    [at(0), at(0)],
    [at(3), at(17)],
    [at(7), at(1005)],
    [at(99), at(101)],
    [at(110), at(120)],
    [at(-5), at(5)],
    [at(-1200), at(-7)],
    [at(-1), at(1)],
    [beyond(0), beyond(10)],
    [at(0.5), at(9.5)],
    [beyond(-3.5), beyond(2.5)],
    [null, at(-12)],
    [at(250), null],
    [null, null],
  ] as const)('accepts exactly the whole numbers from %j to %j', (min, max) => {
    const pattern = toRegExp(toIntegerRule(min, max));
    const isInside = (value: number): boolean =>
      (min === null || (min.isExclusive ? value > min.value : value >= min.value)) &&
      (max === null || (max.isExclusive ? value < max.value : value <= max.value));
    const wrong: number[] = [];
    for (let value = -1300; value <= 1300; value += 1)
      if (pattern.test(String(value)) !== isInside(value)) wrong.push(value);
    expect(wrong).toEqual([]);
    for (const text of ['', '-', '01', '00', '+1', '1.0', '1e1', '--1']) expect(pattern.test(text)).toBe(false);
  });

  it('has no numbers that JSON would not carry exactly', () => {
    const pattern = toRegExp(toIntegerRule(null, null));
    expect(pattern.test('999999999999999')).toBe(true);
    expect(pattern.test('9999999999999999')).toBe(false);
  });
});

describe('toNumberRule', () => {
  it.each([
    [at(0), at(1), 0],
    [beyond(0), beyond(1), 0],
    [at(0.25), at(0.75), 2],
    [at(-1.5), at(2.25), 2],
    [beyond(-1.5), beyond(-0.5), 1],
    [at(-2), at(0), 0],
    [at(10), at(10), 0],
    [at(9.99), null, 2],
    [null, beyond(0), 0],
  ] as const)('accepts exactly the numbers from %j to %j, written with at least %i decimals', (min, max, decimals) => {
    const pattern = toRegExp(toNumberRule(min, max));
    const isInside = (value: number): boolean =>
      (min === null || (min.isExclusive ? value > min.value : value >= min.value)) &&
      (max === null || (max.isExclusive ? value < max.value : value <= max.value));
    const wrong: string[] = [];
    for (let scaled = -4000; scaled <= 12_000; scaled += 1) {
      const short = String(scaled / 1000);
      const missing = Math.max(0, decimals - (short.split('.')[1] ?? '').length);
      const text = missing === 0 ? short : (scaled / 1000).toFixed(decimals);
      if (pattern.test(text) !== isInside(scaled / 1000)) wrong.push(text);
      const long = (scaled / 1000).toFixed(3);
      if (pattern.test(long) && !isInside(scaled / 1000)) wrong.push(long);
    }
    expect(wrong).toEqual([]);
    for (const text of ['', '-', '.5', '1.', '00.5', '+1', '1e3']) expect(pattern.test(text)).toBe(false);
  });
});
