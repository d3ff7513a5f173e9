/** So many of the items, evenly spread, with the first and the last; of one alone the last. */
export function spreadOver<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  if (most <= 1) return items.slice(-1).slice(0, Math.max(0, most));
  return Array.from({ length: most }, (_, at) => items[Math.round((at * (items.length - 1)) / (most - 1))] as Item);
}
