// Exports of what has already been trained: what is said of each candidate, and how many there are.
import { UNKNOWN_MODEL } from '#shared/contract/jobReader.ts';
import { isActiveStatus, toStatusMeaning } from '#shared/contract/statuses.ts';
import type { Candidate } from './candidates.ts';
import { toCandidateTitle } from './trainingWords.ts';

/** `name` where another candidate is spoken of. */
function toOutcome({ status, failure }: Candidate, name: string | null): string {
  const as = name === null ? '' : ` as ${name}`;
  if (isActiveStatus(status)) return `already started${as}: ${status}`;
  return [`already run${as}`, status ?? 'status not given', ...(failure === null ? [] : [failure])].join(': ');
}

const SETTINGS = [
  'snapshot_id',
  'base_model_id',
  'training_type',
  'n_epochs',
  'batch_size',
  'learning_rate_multiplier',
] as const;

/** All settings are known and equal; of fields beyond the specification's, none that both have differs. */
function isSameTraining(a: Candidate, b: Candidate): boolean {
  if (!SETTINGS.every((name) => a[name] !== null && a[name] === b[name]) || a.base_model_id === UNKNOWN_MODEL)
    return false;
  const given = new Map(b.extras.filter(({ isResult }) => !isResult).map(({ name, value }) => [name, value]));
  return a.extras.every(
    ({ name, value, isResult }) => isResult === true || !given.has(name) || given.get(name) === value,
  );
}

const findRuns = (candidate: Candidate, all: readonly Candidate[]): readonly Candidate[] =>
  candidate.origin === 'run'
    ? [candidate]
    : all.filter((other) => other.origin === 'run' && isSameTraining(candidate, other));

/**
 * `already run: failed: loss is not finite`, of a run itself; of what is only recommended `already run as Second:
 * succeeded`, where a run among `all` had its very settings. null where nothing is known of a run.
 */
export function toRunNote(candidate: Candidate, all: readonly Candidate[]): string | null {
  return (
    findRuns(candidate, all)
      .map((run) => toOutcome(run, run === candidate ? null : toCandidateTitle(run)))
      .join('; ') || null
  );
}

/** Those of the very same settings together, each where the first of them stood. */
export function toMerged(candidates: readonly Candidate[]): readonly (readonly [Candidate, ...Candidate[]])[] {
  const merged: [Candidate, ...Candidate[]][] = [];
  for (const candidate of candidates) {
    const same = merged.find((group) => group.every((one) => isSameTraining(one, candidate)));
    if (same) same.push(candidate);
    else merged.push([candidate]);
  }
  return merged;
}

/** `runs`: those of each entry. Failed is what never did anything else. */
function toRunsWords(runs: readonly (readonly Candidate[])[]): string | null {
  const done = runs.filter(({ length }) => length > 0);
  if (done.length === 0) return null;
  const failed = done.filter((entry) => entry.every(({ status }) => toStatusMeaning(status) === 'bad')).length;
  const lead = runs.length === 1 ? 'It was' : `${done.length} of ${runs.length} ${done.length === 1 ? 'was' : 'were'}`;
  const outcome = failed === 0 ? '' : runs.length === 1 ? ' (failed)' : ` (${failed} failed)`;
  return `${lead} already run${outcome}.`;
}

/** A sentence; null when nothing of it was run. Counts whatever bears a note. */
export const findRunsNote = (candidates: readonly Candidate[]): string | null =>
  toRunsWords(candidates.map((candidate) => findRuns(candidate, candidates)));

/** The same of a text that holds each training once; it says how many it left out. */
export function findMergedNote(candidates: readonly Candidate[]): string | null {
  const merged = toMerged(candidates);
  const words = toRunsWords(
    merged.map((group) => [...new Set(group.flatMap((candidate) => findRuns(candidate, candidates)))]),
  );
  const count = candidates.length - merged.length;
  const left = count === 0 ? null : `${count} ${count === 1 ? 'duplicate was' : 'duplicates were'} merged.`;
  return [words, left].filter((part) => part !== null).join(' ') || null;
}
