// Entries by what is read of them. Pure.

/** In the order in which they come, groups as well as entries. */
export function toGroups<T>(entries: readonly T[], read: (entry: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const key = read(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
