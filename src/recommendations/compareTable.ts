// The compare table: parameters as rows, candidates as columns, each cell measured against the baseline.
// Pure; it must not know how cells look nor how candidates are chosen.
import type { Candidate } from './candidates';
import { isSameValue, toDelta, type ParameterKind, type ParameterValue } from './delta';

export interface Parameter {
  /** The wire's own name, so that a row can be found in an API request. */
  readonly name: string;
  readonly kind: ParameterKind;
  readonly read: (candidate: Candidate) => ParameterValue;
}

/** A candidate's parameters in the order of the rows (SPEC 2.2). The base model is who it is: it stands in the column's head. */
export const PARAMETERS: readonly Parameter[] = [
  { name: 'training_type', kind: 'text', read: (candidate) => candidate.training_type },
  { name: 'n_epochs', kind: 'count', read: (candidate) => candidate.n_epochs },
  { name: 'batch_size', kind: 'count', read: (candidate) => candidate.batch_size },
  { name: 'learning_rate_multiplier', kind: 'rate', read: (candidate) => candidate.learning_rate_multiplier },
];

export interface CompareCell {
  /** The candidate's key. */
  readonly key: string;
  /** null: not given. */
  readonly value: ParameterValue;
  /** True in the baseline's own column and wherever the value equals the baseline's. */
  readonly isSame: boolean;
  readonly delta: string | null;
}

export interface CompareRow {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly isDifferent: boolean;
  readonly cells: readonly CompareCell[];
}

export interface CompareTable {
  readonly columns: readonly Candidate[];
  /** null only when there are no columns. */
  readonly baseline: Candidate | null;
  readonly rows: readonly CompareRow[];
  /** Rows left out because every shown candidate has the same value. */
  readonly hiddenCount: number;
}

function toRow(parameter: Parameter, columns: readonly Candidate[], baseline: Candidate): CompareRow {
  const base = parameter.read(baseline);
  const cells = columns.map((candidate): CompareCell => {
    const value = parameter.read(candidate);
    return { key: candidate.key, value, isSame: isSameValue(base, value), delta: toDelta(parameter.kind, base, value) };
  });
  return { name: parameter.name, kind: parameter.kind, isDifferent: cells.some((cell) => !cell.isSame), cells };
}

/** Builds the table. A baseline that is not among the columns gives way to the first column. */
export function toCompareTable(
  columns: readonly Candidate[],
  baselineKey: string | null,
  isOnlyDifferences: boolean,
  parameters: readonly Parameter[] = PARAMETERS,
): CompareTable {
  const baseline = columns.find((candidate) => candidate.key === baselineKey) ?? columns[0] ?? null;
  if (!baseline) return { columns, baseline, rows: [], hiddenCount: 0 };
  const rows = parameters.map((parameter) => toRow(parameter, columns, baseline));
  const shown = isOnlyDifferences ? rows.filter((row) => row.isDifferent) : rows;
  return { columns, baseline, rows: shown, hiddenCount: rows.length - shown.length };
}
