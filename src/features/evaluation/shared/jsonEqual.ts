// Whether two JSON values are the same. Pure.

type Pair = readonly [unknown, unknown];

/** The pairs of inner values that must be equal for both to be equal; null if they differ already. */
function toInnerPairs(a: unknown, b: unknown): readonly Pair[] | null {
  if (a === b) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return null;
  if (Array.isArray(a) !== Array.isArray(b)) return null;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  const others = new Map<string, unknown>(right);
  if (left.length !== right.length || !left.every(([key]) => others.has(key))) return null;
  return left.map(([key, value]) => [value, others.get(key)]);
}

/**
 * Deep equality of JSON values. The order of keys doesn't matter; 1 is not "1". No recursion: answers may nest
 * thousands of levels deep.
 */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  const pairs: Pair[] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const inner = toInnerPairs(pair[0], pair[1]);
    if (inner === null) return false;
    for (const next of inner) pairs.push(next);
  }
  return true;
}
