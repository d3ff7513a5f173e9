import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMcNemarP } from './pairedTest';

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
