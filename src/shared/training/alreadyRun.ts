// Which candidates were already trained: notes for exports, one for each candidate and one that counts them, and the runs
// of a snapshot that had a candidate's settings.
import { UNKNOWN_MODEL, type ReadJob } from '#shared/contract/jobReader.ts';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { isActiveStatus, isSucceeded, toStatusMeaning } from '#shared/contract/statuses.ts';
import type { Candidate } from './candidates.ts';
import { toMainMeasure, toMeasureValue } from './measures.ts';
import { PACKED_BATCH } from './packedBatch.ts';
import { toRunCandidate } from './runCandidates.ts';
import { toCandidateTitle } from './trainingWords.ts';

/** `name`: the run's name if the note is for another candidate, else null. */
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

/**
 * True if all settings are known and equal. Fields beyond the specification must be equal if both have them; what a
 * packed batch is in rows is measured, so it is no setting.
 */
function isSameTraining(a: Candidate, b: Candidate): boolean {
  if (!SETTINGS.every((name) => a[name] !== null && a[name] === b[name]) || a.base_model_id === UNKNOWN_MODEL)
    return false;
  const others = new Map(b.extras.filter(({ isResult }) => !isResult).map(({ name, value }) => [name, value]));
  return a.extras.every(
    ({ name, value, isResult }) =>
      isResult === true || name === PACKED_BATCH || !others.has(name) || others.get(name) === value,
  );
}

/** The runs in `all` that had the candidate's settings; a run stands for itself. */
const findRuns = (candidate: Candidate, all: readonly Candidate[]): readonly Candidate[] =>
  candidate.origin === 'run'
    ? [candidate]
    : all.filter((other) => other.origin === 'run' && isSameTraining(candidate, other));

/**
 * For a run: `already run: failed: loss is not finite`. For advice and proposals, if a run in `all` had the same
 * settings: `already run as Second: succeeded`. null: no run is known.
 */
export function toRunNote(candidate: Candidate, all: readonly Candidate[]): string | null {
  return (
    findRuns(candidate, all)
      .map((run) => toOutcome(run, run === candidate ? null : toCandidateTitle(run)))
      .join('; ') || null
  );
}

/** Groups of candidates with the same settings, in order of their first members. */
export function toMerged(candidates: readonly Candidate[]): readonly (readonly [Candidate, ...Candidate[]])[] {
  const merged: [Candidate, ...Candidate[]][] = [];
  for (const candidate of candidates) {
    const same = merged.find((group) => group.every((one) => isSameTraining(one, candidate)));
    if (same) same.push(candidate);
    else merged.push([candidate]);
  }
  return merged;
}

/** `runs`: the runs of each entry. An entry counts as failed if all its runs failed. */
function toRunsText(runs: readonly (readonly Candidate[])[]): string | null {
  const done = runs.filter(({ length }) => length > 0);
  if (done.length === 0) return null;
  const failed = done.filter((entry) => entry.every(({ status }) => toStatusMeaning(status) === 'bad')).length;
  const lead = runs.length === 1 ? 'It was' : `${done.length} of ${runs.length} ${done.length === 1 ? 'was' : 'were'}`;
  const outcome = failed === 0 ? '' : runs.length === 1 ? ' (failed)' : ` (${failed} failed)`;
  return `${lead} already run${outcome}.`;
}

/** One sentence that counts the candidates with a run note; null if there are none. */
export const findRunsNote = (candidates: readonly Candidate[]): string | null =>
  toRunsText(candidates.map((candidate) => findRuns(candidate, candidates)));

/** The same for an export that holds each training once. It also says how many duplicates were merged. */
export function findMergedNote(candidates: readonly Candidate[]): string | null {
  const merged = toMerged(candidates);
  const runs = toRunsText(
    merged.map((group) => [...new Set(group.flatMap((candidate) => findRuns(candidate, candidates)))]),
  );
  const count = candidates.length - merged.length;
  const duplicates = count === 0 ? null : `${count} ${count === 1 ? 'duplicate was' : 'duplicates were'} merged.`;
  return [runs, duplicates].filter((part) => part !== null).join(' ') || null;
}

export interface KnownRun {
  readonly id: string;
  readonly label: string;
  /** `exact match 100 %`, `failed`, `running`. */
  readonly outcome: string;
}

export type FindKnownRuns = (candidate: Candidate) => readonly KnownRun[];

/** `jobs`: the answers so far. Runs of other jobs are not found. */
export function openKnownRuns(snapshot: TreeNode, jobs: readonly ReadJob[]): FindKnownRuns {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const names = [
    ...new Set(jobs.flatMap(({ experiments }) => experiments.flatMap((run) => Object.keys(run.held_out)))),
  ];
  const shape = jobs.find(({ answer_shape }) => answer_shape !== null)?.answer_shape ?? null;
  const chosen = jobs.find(({ main_measure }) => main_measure !== null)?.main_measure ?? null;
  const main = toMainMeasure(names, shape, chosen);
  const outcomes = new Map<Candidate, string>();
  for (const job of snapshot.children) {
    for (const node of job.children) {
      const facts = byId.get(job.id)?.experiments.find(({ id }) => id === node.id);
      if (!facts) continue;
      const run = toRunCandidate(node.id, { node, job, snapshot, dataset: null }, facts);
      const value = main && isSucceeded(run.status) ? facts.held_out[main.name] : undefined;
      const measured = main && value !== undefined ? `${main.label} ${toMeasureValue(main, value)}` : null;
      outcomes.set(run, measured ?? run.status ?? 'status not given');
    }
  }
  const runs = [...outcomes.keys()];
  return (candidate) =>
    findRuns(candidate, runs).map((run) => ({
      id: run.experiment_id ?? run.key,
      label: toCandidateTitle(run),
      outcome: outcomes.get(run) ?? '',
    }));
}
