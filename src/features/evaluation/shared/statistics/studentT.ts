// Student's t distribution. Pure arithmetic.

/** Lanczos' approximation (g = 7, 9 terms); about 15 digits. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function of x > 0.5. */
function logGamma(x: number): number {
  const base = x + 6.5;
  const sum = LANCZOS.reduce((total, term, at) => total + (at === 0 ? term : term / (x - 1 + at)), 0);
  return Math.log(2 * Math.PI) / 2 + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

const MAX_STEPS = 10_000;
const TINY = 1e-300;

/** The continued fraction of the incomplete beta function, by Lentz' method (DLMF 8.17.22). */
function toBetaFraction(x: number, a: number, b: number): number {
  const guard = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let product = d;
  for (let m = 1; m < MAX_STEPS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    const before = product;
    for (const term of [even, odd]) {
      d = 1 / guard(1 + term * d);
      c = guard(1 + term / c);
      product *= c * d;
    }
    if (Math.abs(product - before) <= Number.EPSILON * Math.abs(product)) break;
  }
  return product;
}

/** The regularised incomplete beta function I_x(a, b). */
function toBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * toBetaFraction(x, a, b)) / a
    : 1 - (front * toBetaFraction(1 - x, b, a)) / b;
}

/** The probability of a t at least as far from 0, with so many degrees of freedom. */
export const toTwoSidedP = (t: number, freedom: number): number =>
  Number.isFinite(t) ? toBeta(freedom / (freedom + t * t), freedom / 2, 0.5) : 0;

const quantiles = new Map<number, number>();

/** How far from 0 the middle 95 % of t reach, with at least one degree of freedom. */
export function toT95(freedom: number): number {
  const known = quantiles.get(freedom);
  if (known !== undefined) return known;
  let [low, high] = [1.9, 13];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (toTwoSidedP(middle, freedom) > 0.05) low = middle;
    else high = middle;
  }
  quantiles.set(freedom, (low + high) / 2);
  return (low + high) / 2;
}
