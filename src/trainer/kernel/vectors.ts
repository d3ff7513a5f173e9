// Pieces of kernels that work on vectors: addresses, sums over lanes, e^x.
import { f32, f32x4, i32, i32x4, type Body, type Code, type Variable } from './assembly.ts';

/** Bytes of so many numbers. */
export const bytes = (count: Code): Code => i32.shl(count, i32.of(2));
export const all = (value: number): Code => f32x4.of(value, value, value, value);

export const sumOfLanes = ({ get }: Variable): Code =>
  f32.add(f32.add(f32x4.lane(get, 0), f32x4.lane(get, 1)), f32.add(f32x4.lane(get, 2), f32x4.lane(get, 3)));

export const greatestLane = ({ get }: Variable): Code =>
  f32.max(f32.max(f32x4.lane(get, 0), f32x4.lane(get, 1)), f32.max(f32x4.lane(get, 2), f32x4.lane(get, 3)));

/** A number that softmax must not see: its e^x is the least there is. */
export const NEVER = -1e30;
/** Exponents outside are taken as these: results stay normal numbers. */
const LEAST = -87;
const MOST = 88;
/** Cephes' expf: 2^n times a polynomial of the rest, right to about two units in the last place. */
const POLYNOMIAL = [1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 0.50000001201];
const LOG_2_HIGH = 0.693359375;
const LOG_2_LOW = -2.1219444e-4;

/** e^x of four numbers. */
export function openExponential(body: Body): (exponent: Code) => Code {
  const rest = body.local('v128');
  const whole = body.local('v128');
  const reduce = (part: number): Code => rest.set(f32x4.sub(rest.get, f32x4.mul(whole.get, all(part))));
  const polynomial = POLYNOMIAL.reduce<Code>(
    (sum, factor, index) => (index === 0 ? all(factor) : f32x4.add(f32x4.mul(sum, rest.get), all(factor))),
    [],
  );
  return (exponent) => [
    ...rest.set(f32x4.min(f32x4.max(exponent, all(LEAST)), all(MOST))),
    ...whole.set(f32x4.nearest(f32x4.mul(rest.get, all(Math.LOG2E)))),
    ...reduce(LOG_2_HIGH),
    ...reduce(LOG_2_LOW),
    ...f32x4.mul(
      f32x4.add(f32x4.add(rest.get, all(1)), f32x4.mul(f32x4.mul(rest.get, rest.get), polynomial)),
      i32x4.shl(i32x4.add(i32x4.fromFloats(whole.get), i32x4.splat(i32.of(127))), i32.of(23)),
    ),
  ];
}
