import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findNumbers } from './proseNumbers.ts';

const valuesOf = (text: string): readonly number[] => findNumbers(text).map(({ value }) => value);

it.each<[string, readonly number[]]>([
  ['The total is 12.', [12]],
  ['1,234', [1234]],
  ['12,345', [12_345]],
  ['1,234,567.5 in all', [1_234_567.5]],
  ['12,34,567', [1_234_567]],
  ['1.234.567,5', [1_234_567.5]],
  ["1’234’567 and 1'234", [1_234_567, 1234]],
  ['1\u202F234\u202F567 or 10\u00A0000', [1_234_567, 10_000]],
  ['1_000_000', [1_000_000]],
  ['in 2024 500 people', [2024, 500]],
  ['Room 12, 345 people', [12, 345]],
  ['1,5', [1.5]],
  ['1,2,3 or [4, 5]', [1, 2, 3, 4, 5]],
  ['{"a":5,"b":6}', [5, 6]],
  ['2.5e-3, 1E+5', [0.0025, 100_000]],
  ['6.02 × 10^23', [6.02e23]],
  ['3 x 10^5 and 10⁻³', [300_000, 0.001]],
  ['.5 and Answer...5', [0.5, 5]],
  ['from 3 to −4', [3, -4]],
  ['x = -5, y = - 6, (-7)', [-5, -6, -7]],
  ['-$5, $-6, USD7, Rs.800, 9 €', [-5, -6, 7, 800, 9]],
  ['- 5 apples', [5]],
  ['10%-15%', [10, 15]],
  ['12-5=7', [7]],
  ['10 ± 2', [10]],
  ['5kg, 5 km/h, 5km/h, a 10-year plan, the 3rd', [5, 5, 5, 10, 3]],
  ['10k, 1.5 million, 7B', [10_000, 1_500_000, 7e9]],
  ['3/4 and 1 3/4', [0.75, 1.75]],
  ['**42**, __43__, \\boxed{1{,}234}, \\frac{3}{4}', [42, 43, 1234, 0.75]],
  ['–5 °C', [-5]],
])('%s holds %j', (text, values) => expect(valuesOf(text)).toEqual(values));

it.each([
  'none',
  '3-5',
  '1–5',
  'Item-7',
  'GPT-4',
  'COVID-19',
  'v1.2.3',
  '1.2.3',
  'v1.2',
  'H2O',
  'var_1',
  'No.5',
  'T-5',
  '2024-05-01',
  '01/02/2024',
  '1.5.2024',
  '12:30',
  '12:30:45',
  '3:1',
  '192.168.100.200',
  '0x1F',
  '6f0c4a12-aa',
  '3.txt',
  '2^10',
  '½',
  '1½',
  '1,234.5.6',
  '5/0',
  '9'.repeat(400),
])('%s holds none', (text) => expect(valuesOf(text)).toEqual([]));

it('says what else a number may be', () => {
  const readings = (text: string) => findNumbers(text).map(({ value, others }) => [value, others].flat());
  expect(readings('1,234')).toEqual([[1234, 1.234]]);
  expect(readings('-1.234')).toEqual([[-1.234, -1234]]);
  expect(readings('1,5')).toEqual([[1.5, 5]]);
  expect(readings('100 200 300')).toEqual([[100_200_300, 300]]);
  expect(readings('10k')).toEqual([[10_000, 10]]);
  expect(readings('–5')).toEqual([[-5, 5]]);
  expect(readings('0,123 and 1234.567')).toEqual([[0.123, 123], [1234.567]]);
});

it('finds a number in any words, whatever it is', () => {
  const around = fc.constantFrom(
    ['It is ', '.'],
    ['= ', ' kg'],
    ['(', ')'],
    ['**', '**'],
    ['"', '",'],
    ['costs $', ' in all'],
    ['', ''],
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), around, (value, [before, after]) => {
      expect(valuesOf(`${before}${value}${after}`)).toEqual([value === 0 ? 0 : value]);
    }),
  );
});

it('takes no number out of labels, versions, dates, times and ranges', () => {
  const part = fc.integer({ min: 0, max: 99_999 }).map(String);
  const word = fc.constantFrom('Item', 'v', 'x', 'GPT', 'Nr');
  const none = fc.oneof(
    fc.tuple(word, part).map(([name, digits]) => `${name}${digits}`),
    fc.tuple(word, part).map(([name, digits]) => `${name}-${digits}`),
    fc.tuple(part, part).map((digits) => digits.join('-')),
    fc.tuple(part, part).map((digits) => digits.join(':')),
    fc.tuple(part, part, part).map((digits) => digits.join('/')),
    fc.tuple(part, part, part).map((digits) => digits.join('-')),
  );
  fc.assert(
    fc.property(none, (text) => {
      expect(valuesOf(`see ${text} there`)).toEqual([]);
    }),
  );
});

it('takes a time that grows with the text alone', () => {
  for (const text of [
    '1'.repeat(200_000),
    '1,'.repeat(100_000),
    '1 '.repeat(100_000),
    '1-'.repeat(100_000),
    'a-'.repeat(100_000),
    '1.000'.repeat(50_000),
    '-$'.repeat(100_000),
  ]) {
    expect(Array.isArray(findNumbers(text))).toBe(true);
  }
});
