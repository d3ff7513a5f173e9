// Which models no other one beats in every respect, such as quality, size and latency. Pure.

export interface FrontPoint {
  readonly id: string;
  /** One value an axis; null: not known. */
  readonly values: readonly (number | null)[];
}

/** At least as good on every axis, and better on one. */
const dominates = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, at) => value >= (b[at] ?? value)) && a.some((value, at) => value > (b[at] ?? value));

/**
 * The ids of the points that no other one dominates, in their order. `better`: which values of each axis are better. A point
 * with a value that is not known is on no front and dominates none.
 */
export function toParetoFront(points: readonly FrontPoint[], better: readonly ('high' | 'low')[]): readonly string[] {
  const known = points.flatMap(({ id, values }) => {
    const turned = values.flatMap((value, at) => (value === null ? [] : [better[at] === 'low' ? -value : value]));
    return turned.length === better.length ? [{ id, values: turned }] : [];
  });
  return known.filter((own) => !known.some((other) => dominates(other.values, own.values))).map(({ id }) => id);
}
