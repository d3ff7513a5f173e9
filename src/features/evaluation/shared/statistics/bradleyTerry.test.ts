import { expect, it } from 'vitest';
import { toStrengths, type JudgedPair } from './bradleyTerry.ts';

const repeat = (count: number, pair: JudgedPair): JudgedPair[] => Array.from({ length: count }, () => pair);

// Citations between journals of statistics (Stigler 1994), as R's BradleyTerry2 documents them and statsmodels 0.15.0 (GLM,
// binomial) gives them.
const CITATIONS: readonly (readonly [string, string, number, number])[] = [
  ['Biometrika', 'Comm. Statist.', 730, 33],
  ['Biometrika', 'JASA', 498, 320],
  ['Biometrika', 'JRSS-B', 221, 284],
  ['Comm. Statist.', 'JASA', 68, 813],
  ['Comm. Statist.', 'JRSS-B', 17, 276],
  ['JASA', 'JRSS-B', 142, 325],
];

it('gives the published strengths and errors of journals', () => {
  const pairs = CITATIONS.flatMap(([first, second, won, lost]) =>
    repeat(won, { first, second, winner: 'first' }).concat(repeat(lost, { first, second, winner: 'second' })),
  );
  const strengths = toStrengths(pairs, 'Biometrika');
  expect(strengths.map(({ model }) => model)).toEqual(['JRSS-B', 'Biometrika', 'JASA', 'Comm. Statist.']);
  for (const [at, [strength, error]] of [
    [0.2689540558, 0.0708299651],
    [0, 0],
    [-0.4795697698, 0.0605887292],
    [-2.9490724968, 0.1025453355],
  ].entries()) {
    expect(strengths[at]!.strength).toBeCloseTo(strength!, 8);
    expect((strengths[at]!.high! - strengths[at]!.low!) / 2 / 1.959963984540054).toBeCloseTo(error!, 8);
  }
  expect(strengths[0]).toMatchObject({ pairs: 505 + 293 + 467, winRate: (284 + 276 + 325) / 1265 });
});

const GAMES = 'AB1 AB1 ABt AB0 BC1 BCt BC0 AC1 ACt AC0 CA1 CBt AC1 BA1 CB1'.split(' ').map((text): JudgedPair => {
  const [first = '', second = '', result] = text;
  return { first, second, winner: result === 't' ? 'tie' : result === '1' ? 'first' : 'second' };
});

// statsmodels 0.15.0: GLM, binomial, a tie is 0.5; then with cov_type='cluster', three pairs a row.
it.each([
  [GAMES, -1.570100775627579, 1.3022407859088272],
  [
    GAMES.map((game, at) => Object.assign({}, game, { row: Math.floor(at / 3) })),
    -1.8756119133934455,
    1.6077519236746936,
  ],
])('counts a tie as half a win, and the pairs of a row as dependent', (pairs, low, high) => {
  const found = toStrengths(pairs, 'A').find(({ model }) => model === 'B');
  expect(found!.strength).toBeCloseTo(-0.133929994859376, 9);
  expect(found!.low).toBeCloseTo(low, 7);
  expect(found!.high).toBeCloseTo(high, 7);
});

it('has no strength where a model won every pair', () => {
  const pairs = repeat(3, { first: 'a', second: 'b', winner: 'first' });
  expect(toStrengths(pairs, 'b')).toEqual([
    { model: 'a', pairs: 3, winRate: 1, strength: null, low: null, high: null },
    { model: 'b', pairs: 3, winRate: 0, strength: null, low: null, high: null },
  ]);
});
