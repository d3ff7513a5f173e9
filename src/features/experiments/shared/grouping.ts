// Groups entries by a key. Pure.

/** Groups and entries keep the order of `entries`. */
export function toGroups<T, Key = string>(
  entries: readonly T[],
  read: (entry: T) => Key,
): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const entry of entries) {
    const key = read(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
