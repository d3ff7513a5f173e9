// Which candidates were already trained: notes for exports, one for each candidate and one that counts them, and the runs
// of a snapshot that had a candidate's settings.
import { UNKNOWN_MODEL, type ReadJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { SETTING_NAMES, type ChosenSettings } from '#core/contract/trainingSettings.ts';
import { isSucceeded, toStateWord, toStatusMeaning, type StatusMeaning } from '#core/contract/statuses.ts';
import type { Candidate } from './candidates.ts';
import { toMainMeasure, toMeasureValue } from './measures.ts';
import { PACKED_BATCH } from './packedBatch.ts';
import { toRunCandidate } from './runCandidates.ts';
import { toCandidateTitle } from './trainingWords.ts';

/** `unknown`: a status that says nothing of a result, such as one that the studio does not know. */
type RunState = 'run' | 'started' | 'unfinished' | 'unknown';

const MEANT: Readonly<Record<StatusMeaning, RunState>> = {
  good: 'run',
  working: 'started',
  waiting: 'started',
  bad: 'unfinished',
  ended: 'unfinished',
  gone: 'unknown',
};

function toRunState(status: string | null): RunState {
  const meaning = toStatusMeaning(status);
  return meaning === null ? 'unknown' : MEANT[meaning];
}

/** What runs in each state are called. Only one that succeeded counts as run: the others tell nothing of the settings. */
const RUN_STATE_WORDS: Readonly<Record<RunState, string>> = {
  run: 'already run',
  started: 'already started',
  unfinished: 'did not finish',
  unknown: 'earlier run',
};

const toStatusText = (status: string | null): string => (status === null ? 'status not given' : toStateWord(status));

/** `name`: the run's name if the note is for another candidate, else null. */
function toOutcome({ status, failure }: Candidate, name: string | null): string {
  const state = toRunState(status);
  const lead = `${RUN_STATE_WORDS[state]}${name === null ? '' : ` as ${name}`}`;
  if (state === 'started') return `${lead}: ${toStatusText(status)}`;
  return [lead, toStatusText(status), ...(failure === null ? [] : [failure])].join(': ');
}

const SETTINGS = [
  'snapshot_id',
  'base_model_id',
  'training_type',
  'n_epochs',
  'batch_size',
  'learning_rate_multiplier',
] as const;

/** A run has a seed in any case, so one that nobody asks for is no difference. */
const haveSameChosen = (a: ChosenSettings, b: ChosenSettings): boolean =>
  SETTING_NAMES.every(
    (name) =>
      String(a[name]) === String(b[name]) || (name === 'seed' && (a.seed === undefined || b.seed === undefined)),
  );

/**
 * True if all settings are known and equal. Fields beyond the specification must be equal if both have them; what a
 * packed batch is in rows is measured, so it is no setting.
 */
function isSameTraining(a: Candidate, b: Candidate): boolean {
  if (!SETTINGS.every((name) => a[name] !== null && a[name] === b[name]) || a.base_model_id === UNKNOWN_MODEL)
    return false;
  if (!haveSameChosen(a.chosen, b.chosen)) return false;
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
 * settings: `already run as Second: done`. null: no run is known.
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

/** The order in which a state of one of its runs stands for an entry. */
const COUNTED = ['run', 'started', 'unfinished'] as const;

const COUNTED_WORDS: Readonly<Record<(typeof COUNTED)[number], (isOne: boolean) => string>> = {
  run: (isOne) => `${isOne ? 'was' : 'were'} already run`,
  started: (isOne) => `${isOne ? 'was' : 'were'} already started`,
  unfinished: () => 'did not finish',
};

/** `runs`: the runs of each entry. `1 of 3 was already run, 1 did not finish.` */
function toRunsText(runs: readonly (readonly Candidate[])[]): string | null {
  const states = runs.map((entry) => COUNTED.find((state) => entry.some(({ status }) => toRunState(status) === state)));
  const parts = COUNTED.flatMap((state) => {
    const count = states.filter((each) => each === state).length;
    return count === 0 ? [] : [{ count, words: COUNTED_WORDS[state](count === 1) }];
  });
  if (parts.length === 0) return null;
  const lead = (count: number, index: number) =>
    runs.length === 1 ? 'It' : index === 0 ? `${count} of ${runs.length}` : `${count}`;
  return `${parts.map(({ count, words }, index) => `${lead(count, index)} ${words}`).join(', ')}.`;
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

interface KnownRun {
  readonly id: string;
  readonly label: string;
  /** `exact match 100 %`, `failed`, `running`. */
  readonly outcome: string;
}

/** Runs of one state: `Already run` and its runs. */
interface KnownGroup {
  readonly words: string;
  readonly runs: readonly [KnownRun, ...KnownRun[]];
}

/** Those that were run come first. */
export type FindKnownRuns = (candidate: Candidate) => readonly KnownGroup[];

const toTitle = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

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
  const toKnown = (run: Candidate): KnownRun => ({
    id: run.experiment_id ?? run.key,
    label: toCandidateTitle(run),
    outcome: outcomes.get(run) ?? '',
  });
  return (candidate) => {
    const found = findRuns(candidate, runs);
    return [...COUNTED, 'unknown' as const].flatMap((state): KnownGroup[] => {
      const [first, ...others] = found.filter(({ status }) => toRunState(status) === state).map(toKnown);
      return first ? [{ words: toTitle(RUN_STATE_WORDS[state]), runs: [first, ...others] }] : [];
    });
  };
}
