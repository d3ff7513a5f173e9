// The parameters of candidates: SPEC's, extra ones, results. Pure.
import type { Candidate } from './candidates.ts';
import type { ParameterKind, ParameterValue } from './delta.ts';
import { toParameterLabel } from './heldOut.ts';

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

export const SPEC_IDS: ReadonlySet<string> = new Set(PARAMETERS.map(({ id }) => id));

const extrasOf = new WeakMap<Candidate, ReadonlyMap<string, ParameterValue>>();

/** The value of an extra parameter; null: the candidate has none. */
export function readExtra(candidate: Candidate, name: string): ParameterValue {
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
