// Makes equal names unique: each gets the fewest places that distinguish it from the others. Pure.
import { toGroups } from './grouping.ts';

export interface PlacedName {
  readonly key: string;
  readonly label: string;
  /** From the most to the least useful place; null for a missing one. */
  readonly places: readonly (string | null)[];
  /** A short id, for names that no place distinguishes. */
  readonly mark?: string;
}

const JOINT = ' · ';

const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** The label with these of its places. */
function toName({ label, places }: PlacedName, taken: readonly number[]): string {
  return [label, ...taken.flatMap((at) => places[at] ?? [])].join(JOINT);
}

/** Places to try, fewest first: each alone, the first two, all. */
function toTries(count: number): readonly (readonly number[])[] {
  const all = Array.from({ length: count }, (_, at) => at);
  return [...all.map((at) => [at]), ...all.slice(1).map((_, at) => all.slice(0, at + 2))];
}

function toGroupNames(group: readonly PlacedName[]): readonly string[] {
  const tries = toTries(Math.max(0, ...group.map(({ places }) => places.length)));
  for (const taken of tries) {
    const names = group.map((entry) => toName(entry, taken));
    if (isUnique(names)) return names;
  }
  const marked = group.map(({ label, mark = '' }) => `${label}${JOINT}${mark}`);
  if (isUnique(marked)) return marked;
  // Nothing distinguishes them but their order.
  return group.map((entry, at) => `${toName(entry, tries.at(-1) ?? [])}${JOINT}${at + 1}`);
}

/** Names by key. A name that is already unique stays unchanged. */
export function toUniqueNames(entries: readonly PlacedName[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const group of toGroups(entries, ({ label }) => label).values()) {
    const names = group.length === 1 ? group.map(({ label }) => label) : toGroupNames(group);
    group.forEach(({ key }, at) => found.set(key, names[at] ?? key));
  }
  return found;
}
