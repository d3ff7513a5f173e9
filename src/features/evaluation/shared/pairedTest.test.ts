import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { adjustByHolm, toMcNemarP } from './pairedTest.ts';

// As R's binom.test(first, first + second)$p.value gives them.
it.each([
  [0, 0, 1],
  [1, 0, 1],
  [3, 1, 0.625],
  [5, 5, 1],
  [0, 5, 0.0625],
  [1, 9, 0.021484375],
  [2, 10, 0.03857421875],
  [0, 10, 0.001953125],
])('%i to %i: p %f', (first, second, p) => expect(toMcNemarP(first, second)).toBeCloseTo(p, 12));

it('is the same both ways, a probability, and smaller the more uneven', () => {
  fc.assert(
    fc.property(fc.nat(6000), fc.nat(6000), (first, second) => {
      const p = toMcNemarP(first, second);
      expect(p).toBe(toMcNemarP(second, first));
      expect(p).toBeGreaterThanOrEqual(0);
      expect(p).toBeLessThanOrEqual(1);
      if (first > second && second > 0) expect(toMcNemarP(first + 1, second - 1)).toBeLessThanOrEqual(p);
    }),
    { numRuns: 30 },
  );
});

// As R's p.adjust(p, "holm") gives them.
it.each<[readonly (number | null)[], readonly (number | null)[]]>([
  [[], []],
  [[0.04], [0.04]],
  [
    [0.01, 0.04, 0.03],
    [0.03, 0.06, 0.06],
  ],
  [
    [0.5, 0.6],
    [1, 1],
  ],
  [
    [0.02, null, 0.02],
    [0.04, null, 0.04],
  ],
])('adjusts %j for their number', (values, adjusted) => {
  for (const [at, p] of adjustByHolm(values).entries()) {
    if (p === null) expect(adjusted[at]).toBeNull();
    else expect(p).toBeCloseTo(adjusted[at] ?? Number.NaN, 12);
  }
});

it('never lowers a p, and keeps their order', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }), (values) => {
      const adjusted = adjustByHolm(values);
      for (const [at, p] of values.entries()) {
        expect(adjusted[at]).toBeGreaterThanOrEqual(p);
        for (const [other, q] of values.entries())
          if (q > p) expect(adjusted[other]).toBeGreaterThanOrEqual(adjusted[at] ?? 1);
      }
    }),
  );
});
