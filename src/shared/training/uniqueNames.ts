// Names made unique by where they stand: each gets the fewest places that tell it from the others of its name. Pure.
import { toGroups } from './grouping.ts';

export interface PlacedName {
  readonly key: string;
  readonly label: string;
  /** From the place that says most to the one that says least; null where there is none. */
  readonly places: readonly (string | null)[];
  /** What tells it from all others, where no place does: a short id. */
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
  // Not even that tells them apart: their order does.
  return group.map((entry, at) => `${toName(entry, tries.at(-1) ?? [])}${JOINT}${at + 1}`);
}

/** By key. A name that no other has stays as it is. */
export function toUniqueNames(entries: readonly PlacedName[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const group of toGroups(entries, ({ label }) => label).values()) {
    const names = group.length === 1 ? group.map(({ label }) => label) : toGroupNames(group);
    group.forEach(({ key }, at) => found.set(key, names[at] ?? key));
  }
  return found;
}
