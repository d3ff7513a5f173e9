// The compare table: parameters as rows, candidates as columns, each cell compared with the baseline. Pure.
import type { Candidate } from './candidates.ts';
import { isNaming, isSameValue, toDelta, type ParameterKind, type ParameterValue } from './delta.ts';
import { toMeasureName, toParameterLabel } from './heldOut.ts';
import { toBetterWay } from './measures.ts';

export interface Parameter {
  /**
   * Unique among the rows: the name, with a `+` if an extra parameter has the name of one of SPEC's.
   */
  readonly id: string;
  /**
   * The name on the wire, so that people find it in an API request. Validation measures have a label (training/heldOut).
   */
  readonly name: string;
  readonly kind: ParameterKind;
  /** A result of training: only a run can have it. */
  readonly isResult: boolean;
  /** Measured on the rows of the run's snapshot: runs on different snapshots can't be compared by it. */
  readonly isMeasured: boolean;
  readonly read: (candidate: Candidate) => ParameterValue;
}

function toSpecParameter(
  name: 'base_model_id' | 'training_type' | 'n_epochs' | 'batch_size' | 'learning_rate_multiplier',
  kind: ParameterKind,
): Parameter {
  return { id: name, name, kind, isResult: false, isMeasured: false, read: (candidate) => candidate[name] };
}

/** A candidate's parameters in the order of the rows (SPEC 2.2). */
export const PARAMETERS: readonly Parameter[] = [
  toSpecParameter('base_model_id', 'text'),
  toSpecParameter('training_type', 'text'),
  toSpecParameter('n_epochs', 'count'),
  toSpecParameter('batch_size', 'count'),
  toSpecParameter('learning_rate_multiplier', 'rate'),
];

const SPEC_IDS: ReadonlySet<string> = new Set(PARAMETERS.map(({ id }) => id));

const extrasOf = new WeakMap<Candidate, ReadonlyMap<string, ParameterValue>>();

function readExtra(candidate: Candidate, name: string): ParameterValue {
  const known =
    extrasOf.get(candidate) ?? new Map(candidate.extras.toReversed().map((extra) => [extra.name, extra.value]));
  extrasOf.set(candidate, known);
  return known.get(name) ?? null;
}

/** The rows for these candidates: SPEC's parameters, then extra parameters, then results. */
export function toParameters(columns: readonly Candidate[]): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const candidate of columns) {
    for (const { name, kind, isResult = false, isMeasured = false } of candidate.extras) {
      const known = found.get(name);
      // A null has the kind `text`; another candidate's number decides.
      if (known && known.kind !== 'text') continue;
      found.set(name, {
        id: SPEC_IDS.has(name) ? `+${name}` : name,
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
  /** null: missing. */
  readonly value: ParameterValue;
  /** True if the value equals the baseline's, so also in the baseline's own column. */
  readonly isSame: boolean;
  readonly delta: string | null;
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

function toRow(parameter: Parameter, columns: readonly Candidate[], baseline: Candidate): CompareRow {
  const base = parameter.read(baseline);
  const cells = columns.map((candidate): CompareCell => {
    const value = parameter.read(candidate);
    const delta = isNaming(parameter.name) ? null : toDelta(parameter.kind, base, value);
    const isOtherData = parameter.isMeasured && base !== null && value !== null && isOfOtherData(baseline, candidate);
    return {
      key: candidate.key,
      value,
      isSame: isSameValue(base, value),
      delta: isOtherData ? null : delta,
      verdict: isOtherData || delta === null ? null : toVerdict(parameter, base, value),
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
