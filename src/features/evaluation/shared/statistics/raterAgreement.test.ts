import { expect, it } from 'vitest';
import { toCohensKappa, toKrippendorffAlpha } from './raterAgreement.ts';

// statsmodels 0.15.0: inter_rater.cohens_kappa of these tables.
it.each([
  [
    [
      [20, 5],
      [10, 15],
    ],
    0.3999999999999999,
    0.151092290476661,
    0.6489077095233389,
  ],
  [
    [
      [44, 5, 1],
      [7, 20, 3],
      [9, 5, 6],
    ],
    0.49152542372881347,
    0.35015820121748686,
    0.6328926462401401,
  ],
])('gives the kappa and the interval of %j', (table, kappa, low, high) => {
  const items = table.flatMap((row, a) => row.flatMap((count, b) => Array.from({ length: count }, () => [a, b])));
  const found = toCohensKappa([...items.map(([a]) => a!), null, 1], [...items.map(([, b]) => b!), 1, null]);
  expect(found.items).toBe(items.length);
  expect(found.kappa).toBeCloseTo(kappa, 12);
  expect(found.low).toBeCloseTo(low, 10);
  expect(found.high).toBeCloseTo(high, 10);
});

it('has no kappa where nothing varies, or nothing is rated by both', () => {
  expect(toCohensKappa(['yes', 'yes'], ['yes', 'yes'])).toMatchObject({ items: 2, agreed: 1, kappa: null });
  expect(toCohensKappa(['yes', null], [null, 'no'])).toMatchObject({ items: 0, kappa: null });
});

// The example of Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section D: four observers, twelve units. He gives
// 0.743, 0.815 and 0.849; these digits are from the Python package krippendorff 0.9.0.
const UNITS = [
  [1, 1, 1],
  [2, 2, 3, 2],
  [3, 3, 3, 3],
  [3, 3, 3, 3],
  [2, 2, 2, 2],
  [1, 2, 3, 4],
  [4, 4, 4, 4],
  [1, 1, 2, 1],
  [2, 2, 2, 2],
  [5, 5, 5],
  [1, 1],
  [3],
];

it.each([
  ['nominal', 0.743421052631579],
  ['ordinal', 0.8153875037548814],
  ['interval', 0.8491071428571428],
] as const)('gives the published %s alpha of four raters', (level, alpha) =>
  expect(toKrippendorffAlpha(UNITS, level)).toBeCloseTo(alpha, 12),
);

it('has no alpha where nothing varies, or nothing is rated twice', () => {
  expect(
    toKrippendorffAlpha(
      [
        ['a', 'a'],
        ['a', 'a'],
      ],
      'nominal',
    ),
  ).toBeNull();
  expect(toKrippendorffAlpha([['a'], ['b'], []], 'nominal')).toBeNull();
});
