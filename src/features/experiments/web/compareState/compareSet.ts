// Changes the compared set in the address: patches for updateUrl. A baseline leaves together with its run.
import { MAX_COMPARED, type UrlState } from '#ui/address/urlState.ts';

type Compared = Pick<UrlState, 'compare' | 'baseline'>;

/** Removes refs. If that removes the chosen baseline, none is chosen any more. */
export function toWithout({ compare, baseline }: Compared, refs: readonly string[]): Compared {
  const removed = new Set(refs);
  return {
    compare: compare.filter((ref) => !removed.has(ref)),
    baseline: baseline !== null && removed.has(baseline) ? null : baseline,
  };
}

/** Adds refs at the end. Refs that are already there keep their place, and a chosen baseline stays. */
export function toWith({ compare, baseline }: Compared, refs: readonly string[]): Compared {
  return { compare: [...new Set([...compare, ...refs])], baseline };
}

/** Adds a ref, or removes it if it is there. */
export function toToggled(compared: Compared, ref: string): Compared {
  return compared.compare.includes(ref) ? toWithout(compared, [ref]) : toWith(compared, [ref]);
}

/** Moves a ref before or after its neighbour. The first of `shown` is the baseline: it is no neighbour, and stays. */
export function toMoved(shown: readonly string[], ref: string, step: -1 | 1): readonly string[] {
  const at = shown.indexOf(ref);
  const other = shown[at + step];
  if (at < 1 || at + step < 1 || other === undefined) return shown;
  return shown.map((entry) => (entry === ref ? other : entry === other ? ref : entry));
}

export interface FittingRefs {
  readonly refs: readonly string[];
  /** Number of refs without a place. */
  readonly left: number;
}

/** The new refs that the set has room for, in order, without those that it already has. */
export function toFitting(compared: readonly string[], refs: readonly string[]): FittingRefs {
  const existing = new Set(compared);
  const added = refs.filter((ref) => !existing.has(ref));
  const fitting = added.slice(0, Math.max(0, MAX_COMPARED - compared.length));
  return { refs: fitting, left: added.length - fitting.length };
}

/**
 * Puts removed refs back in their old places, and so with their old colours, as many as fit. Refs that were added since
 * stay; other refs that were removed since stay removed.
 */
export function toRestored(before: Compared, now: Compared, refs: readonly string[]): Compared {
  const restored = new Set(toFitting(now.compare, refs).refs);
  const remaining = new Set(now.compare);
  const compare = [
    ...new Set([...before.compare.filter((ref) => restored.has(ref) || remaining.has(ref)), ...now.compare]),
  ];
  return {
    compare,
    baseline: now.baseline ?? (before.baseline !== null && restored.has(before.baseline) ? before.baseline : null),
  };
}

/** From this many on, equal rows are noise unless the address says otherwise. */
const MANY = 3;

/** `diff` is 1 or 0 if a person chose. By default, three or more candidates show only differences. */
export function isOnlyDifferences({ diff, compare }: Pick<UrlState, 'diff' | 'compare'>): boolean {
  return diff === '1' || (diff !== '0' && compare.length >= MANY);
}
