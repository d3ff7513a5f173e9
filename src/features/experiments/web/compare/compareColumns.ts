// Turns the refs in the address into columns: the candidate of each ref, or why there is none. Pure.
import type { ReadJob } from '#core/contract/jobReader.ts';
import { textOr } from '#core/contract/readJson.ts';
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { parseRunRef } from '#ui/address/runRefs.ts';
import { toChoices, type Candidate } from '#features/experiments/shared/candidates.ts';
import { toRunCandidate, type PlacedExperiment } from '#features/experiments/shared/runCandidates.ts';
import { withPackedBatch } from '#features/experiments/shared/packing.ts';
import type { FoundNodes } from './findCompared.ts';

type JobFacts = ReadJob['experiments'][number];
type Measured = Pick<JobFacts, 'held_out'> & Pick<ReadJob, 'answer_shape' | 'main_measure'>;

interface Place {
  readonly ref: string;
  /** Its colour: the place in the address. */
  readonly series: number;
}

export interface ReadyColumn extends Place {
  readonly kind: 'ready';
  readonly candidate: Candidate;
  /** Training losses by step; empty if the service gives none. */
  readonly losses: JobFacts['losses'];
  /** When the experiment, else its job or snapshot, was created, as the service wrote it; null: not given. */
  readonly created: string | null;
  /** What says which run is better; null: not a run, or its job says nothing. */
  readonly measured: Measured | null;
  /** Why values are missing; null when none are. */
  readonly gap: string | null;
}

interface OpenColumn extends Place {
  readonly kind: 'loading' | 'missing';
  /** What is being read, or why there is nothing and what to do. */
  readonly words: string;
}

export type CompareColumn = ReadyColumn | OpenColumn;

/** A query's state: no data and no error yet is loading. */
export interface Answer<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  /** The service answered that there is none. */
  readonly isMissing: boolean;
}

export interface Answers {
  readonly found: FoundNodes;
  /** By snapshot id. */
  readonly records: ReadonlyMap<string, Answer<ReadRecommendation>>;
  /** By job id; null from a service that does not give hyperparameters. */
  readonly jobs: ReadonlyMap<string, Answer<ReadJob | null>>;
  /** Rows in each packed sequence by base model, by snapshot id; empty where nothing is packed. */
  readonly packing: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The snapshot that the page shows; null: none. */
  readonly here: string | null;
}

const toCreated = ({ node, job, snapshot }: PlacedExperiment): string | null =>
  [node, job, snapshot].map((above) => textOr(above?.metadata['created_at'], null)).find((text) => text !== null) ??
  null;

const toMeasured = ({ answer_shape, main_measure }: ReadJob, { held_out }: JobFacts): Measured => ({
  answer_shape,
  main_measure,
  held_out,
});

const NO_HYPERPARAMETERS = 'This service does not send the hyperparameters of runs.';

function toRunColumn(place: Place, id: string, { found, jobs }: Answers): CompareColumn {
  const experiment = found.experiments.get(id);
  if (!experiment) {
    return {
      ...place,
      kind: 'missing',
      words: 'This run is not in this project. It was deleted, or it belongs to another project.',
    };
  }
  const answer = experiment.job ? jobs.get(experiment.job.id) : undefined;
  const jobFacts = answer?.data?.experiments.find((entry) => entry.id === id) ?? null;
  if (experiment.job && answer?.data === undefined && !answer?.error) {
    return { ...place, kind: 'loading', words: 'Loading the hyperparameters.' };
  }
  const toGap = (): string | null => {
    if (jobFacts) return null;
    if (!experiment.job) return 'This run belongs to no job, so its hyperparameters can’t be loaded.';
    if (answer?.data === null) return NO_HYPERPARAMETERS;
    if (answer?.data) return 'Its job does not list this run.';
    return `The hyperparameters could not be loaded: ${answer?.error?.message ?? 'no answer'}`;
  };
  return {
    ...place,
    kind: 'ready',
    candidate: toRunCandidate(place.ref, experiment, jobFacts),
    losses: jobFacts?.losses ?? [],
    measured: answer?.data && jobFacts ? toMeasured(answer.data, jobFacts) : null,
    created: toCreated(experiment),
    gap: toGap(),
  };
}

const NO_PACKING: ReadonlyMap<string, number> = new Map();

const candidatesByRecord = new WeakMap<ReadRecommendation, ReadonlyMap<string, Candidate>>();

function findCandidate(record: ReadRecommendation, key: string): Candidate | undefined {
  const known =
    candidatesByRecord.get(record) ?? new Map(toChoices(record).candidates.map((entry) => [entry.key, entry]));
  candidatesByRecord.set(record, known);
  return known.get(key);
}

function toCandidateColumn(
  place: Place,
  snapshotId: string,
  key: string,
  { records, found, packing }: Answers,
  isOnlySnapshot: boolean,
): CompareColumn {
  const answer = records.get(snapshotId);
  const candidate = answer?.data && findCandidate(answer.data, key);
  if (candidate) {
    // If all candidates belong to the snapshot that the page shows, its name adds nothing.
    const location = isOnlySnapshot ? null : (found.snapshots.get(snapshotId) ?? snapshotId);
    return {
      ...place,
      kind: 'ready',
      candidate: {
        ...withPackedBatch(candidate, packing.get(snapshotId) ?? NO_PACKING),
        key: place.ref,
        snapshot_id: snapshotId,
        dataset: found.datasets.get(snapshotId) ?? null,
        location,
      },
      losses: [],
      measured: null,
      created: found.snapshotDates.get(snapshotId) ?? null,
      gap: null,
    };
  }
  if (answer?.data?.status === 'processing')
    return { ...place, kind: 'loading', words: 'The recommendation is being computed.' };
  if (answer?.data) {
    return { ...place, kind: 'missing', words: 'The snapshot’s recommendation no longer has this candidate.' };
  }
  if (!answer?.error) return { ...place, kind: 'loading', words: 'Loading the recommendation.' };
  const words = answer.isMissing
    ? 'The service has no recommendation for this snapshot. It was deleted, or it belongs to another project.'
    : `The recommendation could not be loaded: ${answer.error.message} It is requested again automatically.`;
  return { ...place, kind: 'missing', words };
}

/** One column for each ref, in their order. */
export function toCompareColumns(refs: readonly string[], answers: Answers): readonly CompareColumn[] {
  const { records, found, here } = answers;
  const homes = new Set([
    ...records.keys(),
    ...[...found.experiments.values()].flatMap(({ snapshot }) => snapshot?.id ?? []),
  ]);
  if (here !== null) homes.add(here);
  return refs.map((ref, series) => {
    const place = { ref, series };
    const parsed = parseRunRef(ref);
    if (!parsed) return { ...place, kind: 'missing', words: `The link names “${ref}”, which can’t be compared.` };
    if (parsed.kind === 'experiment') return toRunColumn(place, parsed.experiment_id, answers);
    return toCandidateColumn(place, parsed.snapshot_id, parsed.key, answers, homes.size === 1);
  });
}
