// Exports of what has already been trained: what is said of each candidate, and how many there are.
// It must not know any format.
import { isActiveStatus } from '../contract/statuses';
import type { Candidate } from './candidates';
import { toCandidateTitle } from './trainingWords';

/** `name` where another candidate is spoken of. */
function toOutcome({ status, failure }: Candidate, name: string | null): string {
  const as = name === null ? '' : ` as ${name}`;
  if (status !== null && isActiveStatus(status)) return `already started${as}: ${status}`;
  return [`already run${as}`, status ?? 'status not given', ...(failure === null ? [] : [failure])].join(': ');
}

const SETTINGS = ['snapshot_id', 'base_model_id', 'training_type', 'n_epochs', 'batch_size', 'learning_rate_multiplier'] as const;

/** All settings are known and equal; of fields beyond the specification's, none that both have differs. */
function isSameTraining(a: Candidate, b: Candidate): boolean {
  if (!SETTINGS.every((name) => a[name] !== null && a[name] === b[name])) return false;
  const given = new Map(b.extras.filter(({ isResult }) => !isResult).map(({ name, value }) => [name, value]));
  return a.extras.every(({ name, value, isResult }) => isResult === true || !given.has(name) || given.get(name) === value);
}

/**
 * `already run: failed: loss is not finite`, of a run itself; of what is only recommended `already run as Second: succeeded`, where
 * a run among `all` had its very settings. null where nothing is known of a run.
 */
export function toRunNote(candidate: Candidate, all: readonly Candidate[]): string | null {
  if (candidate.origin === 'run') return toOutcome(candidate, null);
  const runs = all.filter((other) => other.origin === 'run' && isSameTraining(candidate, other));
  return runs.map((run) => toOutcome(run, toCandidateTitle(run))).join('; ') || null;
}

/** A sentence; null when nothing of it was run. Counts whatever bears a note. */
export function findRunsNote(candidates: readonly Candidate[]): string | null {
  const count = candidates.filter((candidate) => toRunNote(candidate, candidates) !== null).length;
  if (count === 0) return null;
  if (candidates.length === 1) return 'It was already run.';
  return `${count} of ${candidates.length} ${count === 1 ? 'was' : 'were'} already run.`;
}
