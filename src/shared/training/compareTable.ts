// The compare table: parameters as rows, candidates as columns, each cell measured against the baseline. Pure.
import type { Candidate } from './candidates.ts';
import { isSameValue, toDelta, type ParameterKind, type ParameterValue } from './delta.ts';
import { toParameterLabel } from './heldOut.ts';

export interface Parameter {
  /**
   * Unique among the rows: the name, with a `+` where a field that SPEC does not have bears the name of one that it
   * has.
   */
  readonly id: string;
  /**
   * The wire's own name, so that a row can be found in an API request; a held-out measure's in words
   * (training/heldOut).
   */
  readonly name: string;
  readonly kind: ParameterKind;
  /** What comes of training: only a run can have it. */
  readonly isResult: boolean;
  /** Measured on a run's own rows: runs on different ones can't be told apart by it. */
  readonly isMeasured: boolean;
  readonly read: (candidate: Candidate) => ParameterValue;
}

function toOwn(
  name: 'base_model_id' | 'training_type' | 'n_epochs' | 'batch_size' | 'learning_rate_multiplier',
  kind: ParameterKind,
): Parameter {
  return { id: name, name, kind, isResult: false, isMeasured: false, read: (candidate) => candidate[name] };
}

/** A candidate's parameters in the order of the rows (SPEC 2.2). */
export const PARAMETERS: readonly Parameter[] = [
  toOwn('base_model_id', 'text'),
  toOwn('training_type', 'text'),
  toOwn('n_epochs', 'count'),
  toOwn('batch_size', 'count'),
  toOwn('learning_rate_multiplier', 'rate'),
];

const OWN: ReadonlySet<string> = new Set(PARAMETERS.map(({ id }) => id));

const extrasOf = new WeakMap<Candidate, ReadonlyMap<string, ParameterValue>>();

function readExtra(candidate: Candidate, name: string): ParameterValue {
  const known =
    extrasOf.get(candidate) ?? new Map(candidate.extras.toReversed().map((extra) => [extra.name, extra.value]));
  extrasOf.set(candidate, known);
  return known.get(name) ?? null;
}

/** The rows for these candidates: SPEC's parameters, then whatever else any of them has, results last. */
export function toParameters(columns: readonly Candidate[]): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const candidate of columns) {
    for (const { name, kind, isResult = false, isMeasured = false } of candidate.extras) {
      const known = found.get(name);
      // A null says nothing of its kind: another candidate's number does.
      if (known && known.kind !== 'text') continue;
      found.set(name, {
        id: OWN.has(name) ? `+${name}` : name,
        name: toParameterLabel(name),
        kind,
        isResult,
        isMeasured,
        read: (entry) => readExtra(entry, name),
      });
    }
  }
  const extras = [...found.values()];
  return [...PARAMETERS, ...extras.filter(({ isResult }) => !isResult), ...extras.filter(({ isResult }) => isResult)];
}

export interface CompareCell {
  /** The candidate's key. */
  readonly key: string;
  /** null: not given. */
  readonly value: ParameterValue;
  /** True in the baseline's own column and wherever the value equals the baseline's. */
  readonly isSame: boolean;
  readonly delta: string | null;
  /** It and the baseline's value were measured on the rows of two snapshots: there is no delta between them. */
  readonly isOtherData: boolean;
}

export interface CompareRow {
  readonly parameter: Parameter;
  /** Equal figures of other data are not the same either. */
  readonly isDifferent: boolean;
  /** One for each candidate, in their order. */
  readonly cells: readonly CompareCell[];
}

/** A row that is left out, and the value that all shown candidates have, or of a result all runs. */
export interface HiddenRow {
  readonly parameter: Parameter;
  readonly value: ParameterValue;
  /** Some are no runs and so have no such result. */
  readonly isOfRuns: boolean;
}

export interface CompareTable {
  readonly columns: readonly Candidate[];
  /** null only when there are no columns. */
  readonly baseline: Candidate | null;
  readonly rows: readonly CompareRow[];
  readonly hidden: readonly HiddenRow[];
}

/** An unknown snapshot may be the same one. */
const isOfOtherData = (a: Candidate, b: Candidate): boolean =>
  a.snapshot_id !== null && b.snapshot_id !== null && a.snapshot_id !== b.snapshot_id;

function toRow(parameter: Parameter, columns: readonly Candidate[], baseline: Candidate): CompareRow {
  const base = parameter.read(baseline);
  const cells = columns.map((candidate): CompareCell => {
    const value = parameter.read(candidate);
    const isOtherData = parameter.isMeasured && base !== null && value !== null && isOfOtherData(baseline, candidate);
    return {
      key: candidate.key,
      value,
      isSame: isSameValue(base, value),
      delta: isOtherData ? null : toDelta(parameter.kind, base, value),
      isOtherData,
    };
  });
  const isApart = cells.some(({ isOtherData }) => isOtherData);
  if (!parameter.isResult) return { parameter, isDifferent: isApart || cells.some((cell) => !cell.isSame), cells };
  // What was never trained has no result to differ in; what one run alone has is no equal row.
  const results = columns.flatMap((candidate, index) =>
    candidate.origin === 'run' ? [cells[index]?.value ?? null] : [],
  );
  const isAlone = results.length === 1 && columns.length > 1 && results[0] !== null;
  return {
    parameter,
    isDifferent: isApart || isAlone || results.some((value) => !isSameValue(results[0] ?? null, value)),
    cells,
  };
}

/**
 * Builds the table. A baseline that is not among the columns gives way to the first run, without any to the first
 * column.
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
