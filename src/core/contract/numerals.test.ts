import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumeral } from './numerals.ts';

describe('readNumeral', () => {
  it.each([
    ['12', 12],
    ['+12', 12],
    ['-12', -12],
    ['−12', -12],
    ['- 12', -12],
    [' 12 ', 12],
    ['007', 7],
    ['-0', 0],
    ['.5', 0.5],
    [',5', 0.5],
    ['1.', 1],
    ['1,', 1],
    ['1,5', 1.5],
    ['0,123', 0.123],
    ['1234,567', 1234.567],
    ['1e-2', 0.01],
    ['2,5E−3', 0.0025],
    ['1,234,567', 1_234_567],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1.234.567', 1_234_567],
    ["1'234", 1234],
    ['1’234,5', 1234.5],
    ['1 234', 1234],
    ['1\u00A0234\u00A0567', 1_234_567],
    ['1\u2009234', 1234],
    ['1\u202F234,5', 1234.5],
    ['1_000_000', 1_000_000],
    ['12,34,567', 1_234_567],
  ])('%j is %d', (text, value) => {
    expect(readNumeral(text)?.value).toBe(value);
  });

  it.each([
    '',
    ' ',
    '.',
    ',',
    '-',
    'e5',
    '1e',
    '1e5.5',
    'abc',
    '0x1',
    'NaN',
    'Infinity',
    '1e999',
    '1 2',
    '1 23',
    '12 3456',
    '--1',
    '1-2',
    '1,2,3',
    '1.2.3',
    '1,23,4',
    '1,234 567',
    '1,234,56',
    '1.234.56',
    '1,234,567,8',
    '1__000',
    '50%',
    '$5',
    '5 kg',
    '٣',
  ])('%j is no number', (text) => {
    expect(readNumeral(text)).toBeNull();
  });

  it('gives both readings of three digits behind one mark, and one of all else', () => {
    expect(readNumeral('1,234')).toMatchObject({ value: 1234, other: 1.234 });
    expect(readNumeral('1.234')).toMatchObject({ value: 1.234, other: 1234 });
    expect(readNumeral('-12,000')).toMatchObject({ value: -12_000, other: -12 });
    for (const text of ['0,123', '1,2345', '1234.567', '1,234.0', '1.234,0', '1 234', '1,234,567'])
      expect(readNumeral(text)?.other).toBeNull();
  });

  it('names the marks', () => {
    expect(readNumeral('1,234.5')).toMatchObject({ grouping: ',', mark: '.' });
    expect(readNumeral('1.234,5')).toMatchObject({ grouping: '.', mark: ',' });
    expect(readNumeral('1,5')).toMatchObject({ grouping: null, mark: ',' });
    expect(readNumeral('15')).toMatchObject({ grouping: null, mark: null });
  });

  it('reads back what JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readNumeral(String(value))?.value).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('reads back whole numbers as people group them; where there are two readings it is one of them', () => {
    const locale = fc.constantFrom('en-US', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE', 'en-IN', 'es-ES', 'pt-BR');
    fc.assert(
      fc.property(fc.maxSafeInteger(), locale, (value, where) => {
        const read = readNumeral(value.toLocaleString(where));
        expect([read?.value, read?.other]).toContain(value === 0 ? 0 : value);
        if (read?.other === null) expect(read.value).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('reads back fractions as people write them', () => {
    const locale = fc.constantFrom('en-US', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE', 'en-IN');
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 11), max: 10 ** 11 }), locale, (cents, where) => {
        const value = cents / 100;
        const text = value.toLocaleString(where, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
        expect(readNumeral(text)?.value).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});
