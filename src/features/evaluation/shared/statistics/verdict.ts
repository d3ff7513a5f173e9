// How far models are from a baseline on the same rows, corrected for the number of comparisons. Pure.
import { adjustByHolm } from '../pairedTest.ts';
import { toComparison, toExactWork, type Comparison } from './comparison.ts';
import { toEstimate, type Estimate, type MeasureKind, type RowValues } from './estimate.ts';

/** One line of a table: the values of each model in a measure, all of the same rows. */
export interface TableLine {
  readonly kind: MeasureKind;
  readonly models: readonly RowValues[];
}

/** undecided: the rows can't tell them apart. */
type Side = 'better' | 'worse' | 'undecided';

export interface AdjustedComparison extends Comparison {
  /** For the number of comparisons of the table (Holm): among many, one differs by chance. */
  readonly adjustedP: number | null;
  readonly side: Side;
}

interface ModelResult {
  readonly estimate: Estimate;
  /** null: it is the baseline, or they share no row with values. */
  readonly comparison: AdjustedComparison | null;
}

export interface TableResult {
  /** Of each line and model. */
  readonly lines: readonly (readonly ModelResult[])[];
  /** How many p values were corrected together. */
  readonly comparisons: number;
}

const LEVEL = 0.05;

function toSide(difference: number, adjustedP: number | null): Side {
  if (adjustedP === null || adjustedP >= LEVEL || difference === 0) return 'undecided';
  return difference > 0 ? 'better' : 'worse';
}

/** `baseline`: the place of the model that others are compared with; null: none. Of each measure more is better. */
export function toTableResult(lines: readonly TableLine[], baseline: number | null): TableResult {
  const work = toExactWork(lines.reduce((sum, { models }) => sum + models.length - 1, 0));
  const found = lines.map(({ kind, models }) => {
    const other = baseline === null ? undefined : models[baseline];
    return models.map((own, place) => ({
      estimate: toEstimate(own, kind),
      comparison: !other || place === baseline ? null : toComparison(own, other, kind, work),
    }));
  });
  const adjusted = adjustByHolm(found.flat().map(({ comparison }) => comparison?.p ?? null));
  let at = -1;
  return {
    lines: found.map((line) =>
      line.map(({ estimate, comparison }) => {
        at += 1;
        const adjustedP = adjusted[at] ?? null;
        return {
          estimate,
          comparison: comparison && { ...comparison, adjustedP, side: toSide(comparison.difference, adjustedP) },
        };
      }),
    ),
    comparisons: adjusted.filter((p) => p !== null).length,
  };
}
