// Whether two JSON values are the same. Pure; it must not know what they stand for.

/** Deep equality of JSON values; the order of an object's keys doesn't matter, 1 is not "1". */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  const others = new Map(right);
  return left.length === right.length && left.every(([key, value]) => others.has(key) && isJsonEqual(value, others.get(key)));
}
