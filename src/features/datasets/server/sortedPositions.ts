// Positions of rows in order: lists of millions of them are searched, not copied. Pure.

/** Where the first number that is at least `wanted` stands; the length of the list if there is none. */
function findFirst(list: Uint32Array, wanted: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a number stands in a list; -1 if it doesn't. */
export function findPlace(list: Uint32Array, wanted: number): number {
  const at = findFirst(list, wanted);
  return list[at] === wanted ? at : -1;
}

export const isIn = (list: Uint32Array, position: number): boolean => findPlace(list, position) >= 0;

/** Whether a list has a number from `from` on and below `end`. */
export const hasAny = (list: Uint32Array, from: number, end: number): boolean =>
  (list[findFirst(list, from)] ?? end) < end;

/** What all lists have; null: there is no list. */
export function intersect(lists: readonly Uint32Array[]): Uint32Array | null {
  const [shortest, ...others] = lists.toSorted((one, other) => one.length - other.length);
  if (shortest === undefined) return null;
  return others.length === 0 ? shortest : shortest.filter((position) => others.every((other) => isIn(other, position)));
}
