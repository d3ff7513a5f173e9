// How deeply a JSON value nests. Parsers accept any depth, but recursive functions such as JSON.stringify run out of
// stack after some thousand levels. Pure.

/** True if lists and objects nest deeper than `limit`. It looks no deeper than that. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit <= 0 || Object.values(value).some((inner) => isDeeperThan(inner, limit - 1));
}

/** The end of a sentence about a value that nests too deeply. */
export const toTooDeepText = (limit: number): string => `nested too deeply: more than ${limit} levels`;
