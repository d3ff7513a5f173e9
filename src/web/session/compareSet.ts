// Changes the compared set in the address: patches for updateUrl. A baseline leaves together with its run.
import { parseRunRef } from './runRefs.ts';
import { MAX_COMPARED, type UrlState } from './urlState.ts';

type Compared = Pick<UrlState, 'compare' | 'baseline'>;

/** Removes refs. If that removes the baseline, the first remaining ref replaces it. */
export function toWithout({ compare, baseline }: Compared, refs: readonly string[]): Compared {
  const removed = new Set(refs);
  return {
    compare: compare.filter((ref) => !removed.has(ref)),
    baseline: baseline !== null && removed.has(baseline) ? null : baseline,
  };
}

/** The default baseline: the first run, else the first ref. */
const usualBaseline = (refs: readonly string[]): string | null =>
  refs.find((ref) => parseRunRef(ref)?.kind === 'experiment') ?? refs[0] ?? null;

/** Adds refs at the end. Refs that are already there keep their place, and the baseline stays. */
export function toWith({ compare, baseline }: Compared, refs: readonly string[]): Compared {
  const all = [...new Set([...compare, ...refs])];
  const usual = usualBaseline(compare);
  return { compare: all, baseline: baseline ?? (usual === usualBaseline(all) ? null : usual) };
}

/** Adds a ref, or removes it if it is there. */
export function toToggled(compared: Compared, ref: string): Compared {
  return compared.compare.includes(ref) ? toWithout(compared, [ref]) : toWith(compared, [ref]);
}

/**
 * Moves a ref before or after its neighbour; at the ends nothing moves. `first`: the ref shown first, as the baseline.
 * It is no neighbour, and stays the baseline when another ref comes before it in the address.
 */
export function toMoved({ compare, baseline }: Compared, ref: string, step: -1 | 1, first: string): Compared {
  const moving = compare.filter((entry) => entry !== first);
  const at = moving.indexOf(ref);
  const other = moving[at + step];
  if (at < 0 || other === undefined) return { compare, baseline };
  const swapped = compare.map((entry) => (entry === ref ? other : entry === other ? ref : entry));
  return { compare: swapped, baseline: swapped[0] === first ? baseline : first };
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
