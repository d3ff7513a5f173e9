// Values of measures as the overview writes them. Pure.
import { toPercent } from '#core/contract/numberNotation.ts';
import { toPassRate } from '#features/evaluation/shared/passRate.ts';
import { toScoreText } from '#features/evaluation/shared/scoreText.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { toGapText } from '#features/evaluation/shared/passRateDifference.ts';
import { toMeasureGap } from '#features/experiments/shared/measureGap.ts';
import { toPointsText } from '#features/experiments/shared/delta.ts';
import {
  compareByMeasure,
  isShare,
  isShareOfRows,
  type Measure,
  toGain,
  toMeasureValue,
} from '#features/experiments/shared/measures.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import type { DatasetResult } from '#features/experiments/web/rows/datasetResults.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';

/** The 95 % interval in percent; null where there is none to compute. */
export function toInterval(measure: Measure, value: number, rows: number | null): { low: string; high: string } | null {
  if (rows === null || !isShareOfRows(measure, value)) return null;
  const { low, high } = toPassRate(Math.round(value * rows), rows);
  return { low: toPercent(low), high: toPercent(high) };
}

/** `99.5 % (97.2–99.9) of 200 validation rows are right`. */
export function toRightText({ main, value, best }: DatasetResult): string {
  const rows = best?.held_out_rows ?? 0;
  if (main === null || value === null) return '';
  const score = isShareOfRows(main, value)
    ? toScoreText(toPassRate(Math.round(value * rows), rows), 'validation row')
    : null;
  if (score !== null) return main.name === 'exact_match' ? `${score} are right` : `${main.label}: ${score}`;
  return `${main.label} is ${toMeasureValue(main, value)} on ${formatCounted(rows, 'validation row')}`;
}

/**
 * On how many rows the best run was measured, where the card doesn't say it for all or the snapshot has more. `said`: the number
 * that the card says; null: none.
 */
export function toRowsNote({ best }: DatasetResult, said: number | null): string | null {
  const { held_out_rows: rows = null, validation_count: all = null } = best ?? {};
  if (rows === null) return null;
  if (all !== null && all > rows)
    return `on ${formatCount(rows)} of ${formatCounted(all, 'validation row')}; ${formatCount(all - rows)} left out: not measured by the trainer`;
  return rows === said ? null : `on ${formatCounted(rows, 'validation row')}`;
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
