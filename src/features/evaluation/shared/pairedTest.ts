// Tests whether two columns of a grid differ in pass rate on the same rows. Pure arithmetic.

/** Logarithms of the factorials from 0 to `n`. */
function toLogFactorials(n: number): readonly number[] {
  const logs = [0];
  for (let at = 1; at <= n; at += 1) logs.push((logs[at - 1] ?? 0) + Math.log(at));
  return logs;
}

/**
 * The p value of the exact two-sided McNemar test (McNemar 1947, doi 10.1007/BF02295996; binomial with one half).
 * `first` and `second`: how many rows only the first and only the second column passes.
 */
export function toMcNemarP(first: number, second: number): number {
  const n = first + second;
  const logs = toLogFactorials(n);
  let sum = 0;
  for (let k = 0; k <= Math.min(first, second); k += 1)
    sum += Math.exp((logs[n] ?? 0) - (logs[k] ?? 0) - (logs[n - k] ?? 0) - n * Math.LN2);
  return Math.min(1, 2 * sum);
}

/** `p < 0.001`, `p 0.02`. */
export const toPText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p ${Number(p.toPrecision(2))}`);

/**
 * Adjusts p values for several comparisons (Holm 1979, jstor 4615733): among many, one is small by chance. null is not
 * a comparison and stays null.
 */
export function adjustByHolm(values: readonly (number | null)[]): readonly (number | null)[] {
  const order = values.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = values.map(() => null);
  let least = 0;
  for (const [rank, { p, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (order.length - rank)));
    adjusted[at] = least;
  }
  return adjusted;
}
