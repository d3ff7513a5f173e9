// A pass rate with its interval. Pure arithmetic.

export interface PassRate {
  readonly passed: number;
  readonly total: number;
  /** 0 to 1; null without rows. */
  readonly rate: number | null;
  /** Bounds of the 95 % interval; 0 and 1 without rows. */
  readonly low: number;
  readonly high: number;
}

/** The two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval, which holds for few rows and for rates of 0 and 1 too (Wilson 1927, doi 10.2307/2276774).
 */
export function toPassRate(passed: number, total: number): PassRate {
  if (total <= 0) return { passed: 0, total: 0, rate: null, low: 0, high: 1 };
  const rate = passed / total;
  const z2 = Z * Z;
  const centre = (rate + z2 / (2 * total)) / (1 + z2 / total);
  const half = (Z * Math.sqrt((rate * (1 - rate)) / total + z2 / (4 * total * total))) / (1 + z2 / total);
  return {
    passed,
    total,
    rate,
    low: passed === 0 ? 0 : Math.max(0, centre - half),
    high: passed === total ? 1 : Math.min(1, centre + half),
  };
}
