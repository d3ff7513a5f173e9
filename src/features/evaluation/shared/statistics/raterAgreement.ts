// Whether people, or people and a judge, rate the same answers alike, beyond what chance would give. Pure arithmetic.

type Rating = string | number;

export interface Kappa {
  readonly items: number;
  /** Share of items that both rate the same. */
  readonly agreed: number;
  /** 1: always the same; 0: as by chance. null: both give one and the same rating to everything, so chance explains all. */
  readonly kappa: number | null;
  /** Bounds of the 95 % interval. */
  readonly low: number | null;
  readonly high: number | null;
}

const Z = 1.959963984540054;

/**
 * Cohen's kappa of two raters (Cohen 1960, doi 10.1177/001316446002000104), with the interval of its asymptotic variance (Fleiss,
 * Cohen and Everitt 1969, doi 10.1037/h0028106). An item that one of them did not rate (null) does not count.
 */
export function toCohensKappa(own: readonly (Rating | null)[], other: readonly (Rating | null)[]): Kappa {
  const items = own.flatMap((a, at) => {
    const b = other[at] ?? null;
    return a === null || b === null ? [] : [[a, b] as const];
  });
  const count = items.length;
  const isSame = ([a, b]: readonly [Rating, Rating]): boolean => a === b;
  const agreed = items.filter(isSame).length / count;
  const shareOf = (side: 0 | 1) => {
    const shares = new Map<Rating, number>();
    for (const item of items) shares.set(item[side], (shares.get(item[side]) ?? 0) + 1 / count);
    return (rating: Rating): number => shares.get(rating) ?? 0;
  };
  const [ofOwn, ofOther] = [shareOf(0), shareOf(1)];
  const chance = [...new Set(items.map(([a]) => a))].reduce<number>((sum, a) => sum + ofOwn(a) * ofOther(a), 0);
  if (count === 0 || chance > 1 - 1e-12)
    return { items: count, agreed: count === 0 ? 0 : agreed, kappa: null, low: null, high: null };
  const kappa = (agreed - chance) / (1 - chance);
  let spread = -((agreed * chance - 2 * chance + agreed) ** 2);
  for (const [a, b] of items)
    spread +=
      (a === b
        ? (1 - chance - (ofOwn(a) + ofOther(a)) * (1 - agreed)) ** 2
        : (1 - agreed) ** 2 * (ofOther(a) + ofOwn(b)) ** 2) / count;
  const half = (Z * Math.sqrt(Math.max(0, spread) / count)) / (1 - chance) ** 2;
  return { items: count, agreed, kappa, low: kappa - half, high: kappa + half };
}

/** What a rating says: a name, a rank, or an amount. */
export type RatingLevel = 'nominal' | 'ordinal' | 'interval';

/**
 * Krippendorff's alpha of any number of raters (Krippendorff 2011, "Computing Krippendorff's alpha-reliability"). `items`: the ratings
 * of each item, of as many raters as rated it; ranks and amounts are numbers. 1: always the same; 0: as by chance. null: no item
 * has two ratings, or all ratings are the same.
 */
export function toKrippendorffAlpha(items: readonly (readonly Rating[])[], level: RatingLevel): number | null {
  const shared = items.filter(({ length }) => length > 1);
  const counts = new Map<Rating, number>();
  for (const rating of shared.flat()) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  const ratings = [...counts.keys()].toSorted((a, b) => Number(a) - Number(b));
  const total = shared.reduce((sum, { length }) => sum + length, 0);
  const countOf = (rating: Rating): number => counts.get(rating) ?? 0;

  function toDistance(a: Rating, b: Rating): number {
    if (a === b) return 0;
    if (level === 'nominal') return 1;
    if (level === 'interval') return (Number(a) - Number(b)) ** 2;
    const [from, to] = [ratings.indexOf(a), ratings.indexOf(b)].toSorted((x, y) => x - y);
    const between = ratings.slice(from, (to ?? 0) + 1).reduce<number>((sum, rating) => sum + countOf(rating), 0);
    return (between - (countOf(a) + countOf(b)) / 2) ** 2;
  }

  let observed = 0;
  for (const item of shared)
    for (const a of item) for (const b of item) observed += toDistance(a, b) / (item.length - 1);
  let expected = 0;
  for (const a of ratings) for (const b of ratings) expected += countOf(a) * countOf(b) * toDistance(a, b);
  return expected === 0 ? null : 1 - ((total - 1) * observed) / expected;
}
