// Limits how many records are polled: a link or a table may name a thousand, and polling them all would never end.

const MOST_POLLED = 32;

/** All of a few. Of many, the first open ones; the next ones follow when those have settled. */
export function toPolledIds(ids: readonly string[], isOpen: (id: string) => boolean): ReadonlySet<string> {
  if (ids.length <= MOST_POLLED) return new Set(ids);
  const polled = new Set<string>();
  for (const id of ids) {
    if (polled.size === MOST_POLLED) break;
    if (isOpen(id)) polled.add(id);
  }
  return polled;
}
