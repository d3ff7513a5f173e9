// The parameters of candidates: SPEC's, extra ones, results. Pure.
import type { Candidate } from './candidates.ts';
import type { ParameterKind, ParameterValue } from './delta.ts';
import { toFieldHint, toFieldLabel } from './fieldLabels.ts';
import { toParameterLabel } from './heldOut.ts';

export interface Parameter {
  /**
   * Unique among the rows: the name, with a `+` if an extra parameter has the name of one of SPEC's.
   */
  readonly id: string;
  /** The name on the wire. */
  readonly name: string;
  readonly label: string;
  /** What the label does not say. */
  readonly hint?: string | undefined;
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
  isRate: boolean,
): Parameter {
  const words = { label: toFieldLabel(name, isRate), hint: toFieldHint(name, isRate) };
  return { id: name, name, ...words, kind, isResult: false, isMeasured: false, read: (candidate) => candidate[name] };
}

/** A candidate's parameters in the order of the rows (SPEC 2.2). */
const toSpecParameters = (isRate: boolean): readonly Parameter[] => [
  toSpecParameter('base_model_id', 'text', isRate),
  toSpecParameter('training_type', 'text', isRate),
  toSpecParameter('n_epochs', 'count', isRate),
  toSpecParameter('batch_size', 'count', isRate),
  toSpecParameter('learning_rate_multiplier', 'rate', isRate),
];

export const PARAMETERS = toSpecParameters(false);
const RATE_PARAMETERS = toSpecParameters(true);

export const SPEC_IDS: ReadonlySet<string> = new Set(PARAMETERS.map(({ id }) => id));

const extrasOf = new WeakMap<Candidate, ReadonlyMap<string, ParameterValue>>();

/** The value of an extra parameter; null: the candidate has none. */
export function readExtra(candidate: Candidate, name: string): ParameterValue {
  const known =
    extrasOf.get(candidate) ?? new Map(candidate.extras.toReversed().map((extra) => [extra.name, extra.value]));
  extrasOf.set(candidate, known);
  return known.get(name) ?? null;
}

/**
 * The rows for these candidates: SPEC's parameters, then extra parameters, then results. `isRate`:
 * `learning_rate_multiplier` is the learning rate itself, and is called so.
 */
export function toParameters(columns: readonly Candidate[], isRate = false): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const candidate of columns) {
    for (const { name, kind, isResult = false, isMeasured = false } of candidate.extras) {
      const known = found.get(name);
      // A null has the kind `text`; another candidate's number decides.
      if (known && known.kind !== 'text') continue;
      found.set(name, {
        id: SPEC_IDS.has(name) ? `+${name}` : name,
        name,
        label: toParameterLabel(name, isRate),
        hint: toFieldHint(name, isRate),
        kind,
        isResult,
        isMeasured,
        read: (entry) => readExtra(entry, name),
      });
    }
  }
  const extras = [...found.values()];
  const spec = isRate ? RATE_PARAMETERS : PARAMETERS;
  return [...spec, ...extras.filter(({ isResult }) => !isResult), ...extras.filter(({ isResult }) => isResult)];
}
