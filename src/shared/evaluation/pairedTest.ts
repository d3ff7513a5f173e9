// Whether two ways of answering differ, judged on the same rows. Pure arithmetic.

/** Logarithms of the factorials from 0 to `n`. */
function toLogFactorials(n: number): readonly number[] {
  const logs = [0];
  for (let at = 1; at <= n; at += 1) logs.push((logs[at - 1] ?? 0) + Math.log(at));
  return logs;
}

/**
 * The exact McNemar test, two-sided: how likely rows that only one of both passes fall at least as unevenly as `first`
 * to `second` by chance alone (McNemar 1947, doi 10.1007/BF02295996; exact by the binomial distribution with one half).
 */
export function toMcNemarP(first: number, second: number): number {
  const n = first + second;
  const logs = toLogFactorials(n);
  let sum = 0;
  for (let k = 0; k <= Math.min(first, second); k += 1)
    sum += Math.exp((logs[n] ?? 0) - (logs[k] ?? 0) - (logs[n - k] ?? 0) - n * Math.LN2);
  return Math.min(1, 2 * sum);
}

/**
 * The same p values for several comparisons at once (Holm 1979, jstor 4615733): of many, one looks unlikely by chance
 * alone. null stays null and counts for nothing.
 */
export function toHolm(values: readonly (number | null)[]): readonly (number | null)[] {
  const order = values.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = values.map(() => null);
  let least = 0;
  for (const [rank, { p, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (order.length - rank)));
    adjusted[at] = least;
  }
  return adjusted;
}
