// Changes of the compared set in the address: patches for updateUrl, so that the baseline leaves with its run.
import { parseRunRef } from './runRefs.ts';
import { MAX_COMPARED, type UrlState } from './urlState.ts';

type Compared = Pick<UrlState, 'compare' | 'baseline'>;

/** Takes refs out; a baseline that leaves gives way to the first one. */
export function toWithout({ compare, baseline }: Compared, refs: readonly string[]): Compared {
  const gone = new Set(refs);
  return {
    compare: compare.filter((ref) => !gone.has(ref)),
    baseline: baseline !== null && gone.has(baseline) ? null : baseline,
  };
}

/** What is measured against where nobody chose: the first run, without any the first ref. */
const usualBaseline = (refs: readonly string[]): string | null =>
  refs.find((ref) => parseRunRef(ref)?.kind === 'experiment') ?? refs[0] ?? null;

/**
 * Adds refs at the end; those that are there already stay where they are. What was measured against before still is.
 */
export function toWith({ compare, baseline }: Compared, refs: readonly string[]): Compared {
  const all = [...new Set([...compare, ...refs])];
  const usual = usualBaseline(compare);
  return { compare: all, baseline: baseline ?? (usual === usualBaseline(all) ? null : usual) };
}

/** Takes a ref in, or out if it is there. */
export function toToggled(compared: Compared, ref: string): Compared {
  return compared.compare.includes(ref) ? toWithout(compared, [ref]) : toWith(compared, [ref]);
}

/**
 * Moves a ref before or after its neighbour; the ends stay the ends. `first` is the ref that is shown first, as the
 * baseline: it is no neighbour, and it stays the baseline when another one comes before it in the address.
 */
export function toMoved({ compare, baseline }: Compared, ref: string, step: -1 | 1, first: string): Compared {
  const moving = compare.filter((entry) => entry !== first);
  const at = moving.indexOf(ref);
  const other = moving[at + step];
  if (at < 0 || other === undefined) return { compare, baseline };
  const swapped = compare.map((entry) => (entry === ref ? other : entry === other ? ref : entry));
  return { compare: swapped, baseline: swapped[0] === first ? baseline : first };
}

export interface RefsTaken {
  readonly refs: readonly string[];
  /** How many found no place. */
  readonly left: number;
}

/** As many as the set has room for, in their order, without those that it has. */
export function toFitting(compared: readonly string[], refs: readonly string[]): RefsTaken {
  const known = new Set(compared);
  const added = refs.filter((ref) => !known.has(ref));
  const fitting = added.slice(0, Math.max(0, MAX_COMPARED - compared.length));
  return { refs: fitting, left: added.length - fitting.length };
}

/**
 * With refs that were taken out put back, as many as there is room for: in their places, and so their colours, of
 * before. What was added since stays, and what else was taken out since does not come back.
 */
export function toRestored(before: Compared, now: Compared, refs: readonly string[]): Compared {
  const back = new Set(toFitting(now.compare, refs).refs);
  const kept = new Set(now.compare);
  const compare = [...new Set([...before.compare.filter((ref) => back.has(ref) || kept.has(ref)), ...now.compare])];
  return {
    compare,
    baseline: now.baseline ?? (before.baseline !== null && back.has(before.baseline) ? before.baseline : null),
  };
}

/** With this many compared, equal rows are noise unless the address says otherwise. */
const MANY = 3;

/** `diff` is 1 or 0 where someone chose; else only differences are shown from three candidates on. */
export function isOnlyDifferences({ diff, compare }: Pick<UrlState, 'diff' | 'compare'>): boolean {
  return diff === '1' || (diff !== '0' && compare.length >= MANY);
}
