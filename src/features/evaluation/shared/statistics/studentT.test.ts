import { expect, it } from 'vitest';
import { toT95, toTwoSidedP } from './studentT.ts';

// As SciPy 1.17.1 gives them: stats.t.ppf(0.975, df) and 2 * stats.t.sf(abs(t), df).
it.each([
  [1, 12.706204736174694],
  [2, 4.302652729749462],
  [5, 2.5705818356363146],
  [29, 2.045229642132703],
  [1000, 1.9623390808264083],
])('95 %% of t with %i degrees of freedom lie within %f', (freedom, quantile) =>
  expect(toT95(freedom)).toBeCloseTo(quantile, 10),
);

it.each([
  [0.5, 1, 0.7048327646991335],
  [2.3, 4, 0.08293903711238236],
  [-3.1, 17, 0.006504539385564241],
  [1.96, 500, 0.05055078981976597],
  [8, 40, 7.905084110104538e-10],
])('t %f with %i degrees of freedom has the p value %f', (t, freedom, p) =>
  expect(toTwoSidedP(t, freedom) / p).toBeCloseTo(1, 10),
);
