// The compare table: parameters as rows, candidates as columns, each cell compared with the baseline. Pure.
import type { RowsGap } from '#features/evaluation/shared/passRateDifference.ts';
import { toMeasureGap } from '#features/experiments/shared/measureGap.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import {
  isNaming,
  isSameValue,
  toDelta,
  toPointsText,
  type ParameterValue,
} from '#features/experiments/shared/delta.ts';
import { toMeasureName } from '#features/experiments/shared/heldOut.ts';
import { isShare, toBetterWay, toMeasure } from '#features/experiments/shared/measures.ts';
import { formatDuration } from '#ui/kit/format.ts';
import { readExtra, SPEC_IDS, toParameters, type Parameter } from '#features/experiments/shared/parameters.ts';

export interface CompareCell {
  /** The candidate's key. */
  readonly key: string;
  /** null: missing. */
  readonly value: ParameterValue;
  /** True if the value equals the baseline's, so also in the baseline's own column. */
  readonly isSame: boolean;
  readonly delta: string | null;
  /** Of a share of validation rows: the difference with its interval; null: none can be computed. */
  readonly gap: RowsGap | null;
  /** What the delta of a measure means; null: there is none, or nothing says which way is better. */
  readonly verdict: 'better' | 'worse' | null;
  /** The value and the baseline's were measured on different snapshots, so there is no delta. */
  readonly isOtherData: boolean;
}

export interface CompareRow {
  readonly parameter: Parameter;
  /** Values of other data count as different even if they are equal. */
  readonly isDifferent: boolean;
  /** One for each candidate, in order. */
  readonly cells: readonly CompareCell[];
}

/** A row that is left out, and the value that all candidates share; for a result, that all runs share. */
export interface HiddenRow {
  readonly parameter: Parameter;
  readonly value: ParameterValue;
  /** Some candidates are not runs, so they lack this result. */
  readonly isOfRuns: boolean;
}

export interface CompareTable {
  readonly columns: readonly Candidate[];
  /** null only when there are no columns. */
  readonly baseline: Candidate | null;
  readonly rows: readonly CompareRow[];
  readonly hidden: readonly HiddenRow[];
}

/** Unknown snapshots count as the same. */
const isOfOtherData = (a: Candidate, b: Candidate): boolean =>
  a.snapshot_id !== null && b.snapshot_id !== null && a.snapshot_id !== b.snapshot_id;

function toVerdict({ id, isMeasured }: Parameter, base: ParameterValue, value: ParameterValue): CompareCell['verdict'] {
  const way = isMeasured ? toBetterWay(toMeasureName(id)) : null;
  if (way === null || typeof base !== 'number' || typeof value !== 'number') return null;
  return value > base === (way === 'higher') ? 'better' : 'worse';
}

type Read = readonly [candidate: Candidate, value: ParameterValue];

/** Both as shares of validation rows; null: the parameter is none. */
function toShares(
  { id, isMeasured }: Parameter,
  base: ParameterValue,
  value: ParameterValue,
): readonly [number, number] | null {
  const measure = toMeasure(toMeasureName(id));
  const areShares = (values: readonly ParameterValue[]): boolean =>
    values.every((each) => typeof each === 'number' && isShare(measure, each));
  return isMeasured && areShares([base, value]) ? [Number(base), Number(value)] : null;
}

/** Shares differ in points of percent: "+3.3 points"; times in a duration: "+1 min 23 s". */
function toParameterDelta(parameter: Parameter, base: ParameterValue, value: ParameterValue): string | null {
  const shares = toShares(parameter, base, value);
  if (shares !== null) return toPointsText(shares[1] - shares[0]);
  const delta = toDelta(parameter.kind, base, value);
  if (delta === null || parameter.id !== 'seconds') return delta;
  const [sign] = delta;
  return `${sign}${formatDuration(Math.abs(Number(value) - Number(base)) * 1000)}`;
}

function toGap(parameter: Parameter, [baseline, base]: Read, [candidate, value]: Read): RowsGap | null {
  const shares = toShares(parameter, base, value);
  const [rows, other] = [baseline, candidate].map((each) => readExtra(each, 'held_out_rows'));
  // The same snapshot and as many rows: the same rows, because a service measures the first ones.
  if (shares === null || typeof rows !== 'number' || rows !== other || baseline.snapshot_id === null) return null;
  return toMeasureGap(toMeasureName(parameter.id), [shares[1], candidate], [shares[0], baseline], rows);
}

function toRow(parameter: Parameter, columns: readonly Candidate[], baseline: Candidate): CompareRow {
  const base = parameter.read(baseline);
  const cells = columns.map((candidate): CompareCell => {
    const value = parameter.read(candidate);
    const isOtherData = parameter.isMeasured && base !== null && value !== null && isOfOtherData(baseline, candidate);
    const delta = isNaming(parameter.name) || isOtherData ? null : toParameterDelta(parameter, base, value);
    return {
      key: candidate.key,
      value,
      isSame: isSameValue(base, value),
      delta,
      gap: delta === null ? null : toGap(parameter, [baseline, base], [candidate, value]),
      verdict: delta === null ? null : toVerdict(parameter, base, value),
      isOtherData,
    };
  });
  const hasOtherData = cells.some(({ isOtherData }) => isOtherData);
  if (!parameter.isResult) {
    // Advice leaves settings beyond SPEC's open: it doesn't differ in them from runs.
    const given = columns.flatMap(({ origin }, index) => {
      const value = cells[index]?.value ?? null;
      return origin !== 'run' && value === null && !SPEC_IDS.has(parameter.id) ? [] : [value];
    });
    return {
      parameter,
      isDifferent: hasOtherData || given.some((value) => !isSameValue(given[0] ?? null, value)),
      cells,
    };
  }
  // Only runs have results to compare. A result that only one run can have counts as a difference.
  const results = columns.flatMap((candidate, index) =>
    candidate.origin === 'run' ? [cells[index]?.value ?? null] : [],
  );
  const isAlone = results.length === 1 && columns.length > 1 && results[0] !== null;
  return {
    parameter,
    isDifferent: hasOtherData || isAlone || results.some((value) => !isSameValue(results[0] ?? null, value)),
    cells,
  };
}

/**
 * Builds the table. If the baseline is not among the columns, the first run is, else the first column.
 */
export function toCompareTable(
  columns: readonly Candidate[],
  baselineKey: string | null,
  isOnlyDifferences: boolean,
  parameters: readonly Parameter[] = toParameters(columns),
): CompareTable {
  const baseline =
    columns.find((candidate) => candidate.key === baselineKey) ??
    columns.find(({ origin }) => origin === 'run') ??
    columns[0] ??
    null;
  if (!baseline) return { columns, baseline, rows: [], hidden: [] };
  const rows = parameters.map((parameter) => toRow(parameter, columns, baseline));
  const isShown = (row: CompareRow): boolean => !isOnlyDifferences || row.isDifferent;
  const hidden = rows
    .filter((row) => !isShown(row))
    .map(({ parameter, cells }) => {
      const value = cells.find((cell) => cell.value !== null)?.value ?? null;
      return { parameter, value, isOfRuns: value !== null && cells.some((cell) => cell.value === null) };
    });
  return { columns, baseline, rows: rows.filter(isShown), hidden };
}
