// Exact tests: whether two columns of a grid differ in pass rate on the same rows, whether errors gather in a group of rows. Pure
// arithmetic.

const LOGS = [0];

/** Logarithms of the factorials from 0 to `n`, and maybe of more. */
function toLogFactorials(n: number): readonly number[] {
  for (let at = LOGS.length; at <= n; at += 1) LOGS.push((LOGS[at - 1] ?? 0) + Math.log(at));
  return LOGS;
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

/**
 * How likely a group of `size` of `rows` rows has `found` or more of the `wrong` ones by chance: Fisher's exact test, one-sided
 * (Fisher 1935, The Design of Experiments; the tail of the hypergeometric distribution). It holds for any number of rows.
 */
export function toGroupP(rows: number, wrong: number, size: number, found: number): number {
  const logs = toLogFactorials(rows);
  const choose = (n: number, k: number): number => (logs[n] ?? 0) - (logs[k] ?? 0) - (logs[n - k] ?? 0);
  const all = choose(rows, size);
  let sum = 0;
  for (let k = Math.max(found, wrong + size - rows); k <= Math.min(wrong, size); k += 1)
    sum += Math.exp(choose(wrong, k) + choose(rows - wrong, size - k) - all);
  return Math.min(1, sum);
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
