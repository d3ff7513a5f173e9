// How deeply a JSON value nests. Parsers take any depth, but what goes through a value step by step, as JSON.stringify
// does, runs out of stack after some thousand levels. Pure.

/** True where more than `limit` lists and objects stand inside one another; looks no deeper than that. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit <= 0 || Object.values(value).some((inner) => isDeeperThan(inner, limit - 1));
}

/** The end of a sentence on a value that is. */
export const toTooDeepText = (limit: number): string => `nested too deeply: more than ${limit} levels`;
