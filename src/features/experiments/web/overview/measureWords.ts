// Values of measures as the overview writes them. Pure.
import { toPercent } from '#core/contract/numberNotation.ts';
import { toPassRate } from '#features/evaluation/shared/passRate.ts';
import { toGapText } from '#features/evaluation/shared/passRateDifference.ts';
import { toMeasureGap } from '#features/experiments/shared/measureGap.ts';
import { toPointsText } from '#features/experiments/shared/delta.ts';
import {
  compareByMeasure,
  isShare,
  type Measure,
  toGain,
  toMeasureValue,
} from '#features/experiments/shared/measures.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import type { DatasetResult } from '#features/experiments/web/rows/datasetResults.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';

/** The 95 % interval in percent; null where there is none to compute. */
export function toInterval(measure: Measure, value: number, rows: number | null): { low: string; high: string } | null {
  if (rows === null || !isShare(measure, value)) return null;
  const { low, high } = toPassRate(Math.round(value * rows), rows);
  return { low: toPercent(low), high: toPercent(high) };
}

/** `199 of 200 validation rows are right`. */
export function toRightText({ main, value, best }: DatasetResult): string {
  const rows = best?.held_out_rows ?? 0;
  if (main === null || value === null) return '';
  return main.name === 'exact_match'
    ? `${Math.round(value * rows)} of ${rows} validation rows are right`
    : `${main.label} is ${toMeasureValue(main, value)} on ${rows} validation rows`;
}

/**
 * How the best run stands to the second of its snapshot: "ahead of Experiment 2 by 3.3 points (95 %: −0.2 to 6.8), same 400
 * rows". null: there is no second one.
 */
export function toLeadText({ main, best, value, runs }: DatasetResult): string | null {
  if (main === null || best === null || value === null) return null;
  const valueOf = ({ held_out }: ExperimentRow): number | null => held_out[main.name] ?? null;
  const [second] = runs
    .filter((run) => run.id !== best.id && run.snapshot_id === best.snapshot_id && isSucceeded(run.status))
    .filter((run) => valueOf(run) !== null)
    .toSorted((a, b) => compareByMeasure(main, valueOf(a), valueOf(b)));
  const other = second && valueOf(second);
  if (second === undefined || other == null) return null;
  const gain = toGain(main, value, other);
  if (!isShare(main, value) || !isShare(main, other)) return null;
  const by = toPointsText(gain)?.slice(1) ?? null;
  const lead = by === null ? `as good as ${second.label}` : `ahead of ${second.label} by ${by}`;
  const rows = best.held_out_rows;
  if (rows === null || rows !== second.held_out_rows) return `${lead}; no test: other rows`;
  const gap = toMeasureGap(main.name, [value, best], [other, second], rows);
  return gap === null ? lead : `${lead} (${toGapText(gap)}), same ${rows} rows`;
}
