// Picks a few texts that differ as much as possible. Pure.

/** Words without digits, so that texts don't differ only by their order numbers. */
function toWords(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
}

/** Share of words that two texts do not have in common, 0 to 1. */
function toDistance(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : 1 - shared / all;
}

interface Candidate<Item> {
  readonly item: Item;
  readonly words: ReadonlySet<string>;
  /** Distance to the nearest text chosen so far. */
  distance: number;
}

/** How much a candidate adds: words that no chosen text has, then its distance from the chosen ones. */
function toGain(candidate: Candidate<unknown>, seen: ReadonlySet<string>): number {
  const unseen = [...candidate.words].filter((word) => !seen.has(word)).length;
  return candidate.words.size === 0 ? 0 : unseen / candidate.words.size + candidate.distance;
}

/** At most `count` items whose texts differ. Includes the first item, and only one of several with equal words. */
export function pickDiverse<Item>(items: readonly Item[], count: number, textOf: (item: Item) => string): Item[] {
  const candidates: Candidate<Item>[] = items.map((item) => ({ item, words: toWords(textOf(item)), distance: 1 }));
  const picked: Item[] = [];
  const seen = new Set<string>();
  while (picked.length < count) {
    const gains = candidates.map((candidate) => (picked.length === 0 ? 1 : toGain(candidate, seen)));
    const best = candidates[gains.indexOf(Math.max(...gains))];
    if (!best || best.distance === 0) break;
    picked.push(best.item);
    for (const word of best.words) seen.add(word);
    for (const candidate of candidates)
      candidate.distance = Math.min(candidate.distance, toDistance(candidate.words, best.words));
  }
  return picked;
}
