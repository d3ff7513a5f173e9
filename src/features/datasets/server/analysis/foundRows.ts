// What an analysis has found, as it is answered. Pure.
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { Finding } from '#features/datasets/shared/contract/rows.ts';
import type { AnalysisResult } from './analysisEntry.ts';

/** Copies of a row, which can all be set aside. */
const COPIES: ReadonlySet<string> = new Set(['duplicate', 'near-duplicate']);

export const toFinding = ({ findings, rows }: AnalysisResult): Finding[] =>
  findings.map((finding) => {
    const groups = finding.rows.map(({ id, other }) => (other === null ? [id] : [other, id]));
    return {
      kind: finding.id,
      about: `${finding.why} ${finding.todo}`,
      count: finding.count,
      groups: groups.slice(0, DATA_LIMITS.named),
      group_count: finding.count,
      removable: COPIES.has(finding.id) ? [...(rows.get(finding.id) ?? [])].slice(0, DATA_LIMITS.marks) : [],
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
