// Values that would flatten all others in a plot, such as those of one diverged run. Pure.

/** Values over so many times the median are outliers. */
const FAR = 20;

/** The highest value that is no outlier, of finite values in rising order; null: there is no outlier. */
export function toFarBound(sorted: ArrayLike<number>, highest: number): number | null {
  const median = sorted[sorted.length >> 1] ?? 0;
  const limit = FAR * median;
  if (!(median > 0) || highest <= limit) return null;
  let at = sorted.length - 1;
  while (at > 0 && (sorted[at] ?? 0) > limit) at -= 1;
  return sorted[at] ?? null;
}
