import { expect, it } from 'vitest';
import { traceQuerySchema } from './traces.ts';

it('takes the place behind any score as text, as its answers give it', () => {
  // From 1 down to 1e-14: with zeros behind the point, and with an exponent.
  const scores = Array.from({ length: 3_000 }, (_, at) => ((at * 0.6180339887498949) % 1) / 10 ** (at % 15));
  const places = [0, 1, 1e-7, 0.000033456792358024583, 5e-324, ...scores].map((score) => `s${score}_3`);
  expect(places.filter((after) => !traceQuerySchema.safeParse({ after }).success)).toEqual([]);
});
