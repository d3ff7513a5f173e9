// What an analysis has found, as it is answered. Pure.
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { Finding } from '#features/datasets/shared/contract/rows.ts';
import type { AnalysisResult } from './analysisEntry.ts';

/** Rows that can all be set aside: of each group one stays, or the majority. */
const REMOVABLE: ReadonlySet<string> = new Set(['duplicate', 'near-duplicate', 'outvoted']);

/** Rows of one question, of which each names one that it disagrees with. */
const GROUPED: ReadonlySet<string> = new Set(['contradiction', 'several-answers', 'outvoted']);

/** All rows that belong together, each group in order. */
export function toGroups(rows: readonly { readonly id: number; readonly other: number | null }[]): number[][] {
  const groupOf = new Map<number, Set<number>>();
  for (const { id, other } of rows) {
    const both = [id, other ?? id];
    const [one = new Set<number>(), two = one] = both.flatMap((each) => groupOf.get(each) ?? []);
    for (const each of [...both, ...two]) {
      one.add(each);
      groupOf.set(each, one);
    }
  }
  return [...new Set(groupOf.values())].map((group) => [...group].sort((a, b) => a - b));
}

export const toFinding = ({ findings, rows }: AnalysisResult): Finding[] =>
  findings.map((finding) => {
    const groups = GROUPED.has(finding.id)
      ? toGroups(finding.rows)
      : finding.rows.map(({ id, other }) => (other === null ? [id] : [other, id]));
    return {
      kind: finding.id,
      about: `${finding.why} ${finding.todo}`,
      count: finding.count,
      groups: groups.slice(0, DATA_LIMITS.named),
      group_count: finding.count,
      removable: REMOVABLE.has(finding.id) ? [...(rows.get(finding.id) ?? [])].slice(0, DATA_LIMITS.marks) : [],
    };
  });

/** The other rows that belong together with one: all that were compared with it, or with what it was compared with. */
export function toGroup(
  rows: AnalysisResult['findings'][number]['rows'],
  own: { id: number; other: number | null },
  position: number,
): number[] {
  const heads = new Set([position, own.other ?? position]);
  const near = rows.filter(({ id, other }) => heads.has(id) || (other !== null && heads.has(other)));
  const all = new Set([own, ...near].flatMap(({ id, other }) => (other === null ? [id] : [id, other])));
  return [...all].filter((each) => each !== position).sort((a, b) => a - b);
}
