// Values of measures as the overview writes them. Pure.
import { toPassRate } from '#shared/evaluation/passRate.ts';
import { isShare, type Measure, toMeasureValue, toPercent } from '#shared/training/measures.ts';
import type { DatasetResult } from '#web/experiments/rows/datasetResults.ts';

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
