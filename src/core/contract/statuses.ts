// The statuses of SPEC 3 and one of ours, and why a run has its status, one record each: which resources can have it, what it
// means, and the word that people read. Lists, checks and words are made from these records. Icons and colours are in
// `web/ui/statusLook.ts`.

export type StatusResource = 'dataset' | 'job' | 'recommendation' | 'experiment';

/** waiting: not started; working: in progress; good, bad: how it ended; ended: nobody knows how; gone: deleted. */
export type StatusMeaning = 'waiting' | 'working' | 'good' | 'bad' | 'ended' | 'gone';

interface StatusRecord {
  readonly of: readonly StatusResource[];
  readonly meaning: StatusMeaning;
  /** What people read; left out: the status itself. */
  readonly word?: string;
}

/** In lifecycle order. Legends, filters and sorted columns use it. */
const STATUSES = {
  pending: { of: ['experiment'], meaning: 'waiting', word: 'queued' },
  queued: { of: ['experiment'], meaning: 'waiting' },
  running: { of: ['experiment'], meaning: 'working' },
  deploying: { of: ['experiment'], meaning: 'working' },
  processing: { of: ['dataset', 'job', 'recommendation'], meaning: 'working', word: 'running' },
  succeeded: { of: ['experiment'], meaning: 'good', word: 'done' },
  completed: { of: ['dataset', 'job', 'recommendation'], meaning: 'good', word: 'done' },
  failed: { of: ['dataset', 'job', 'recommendation', 'experiment'], meaning: 'bad' },
  // ASSUMED: not in SPEC. A run of another trainer that ended without writing down how.
  stopped: { of: ['job', 'experiment'], meaning: 'ended' },
  deleted: { of: ['experiment'], meaning: 'gone' },
} as const satisfies Record<string, StatusRecord>;

export type KnownStatus = keyof typeof STATUSES;

/** What several statuses of one meaning are called together. */
export const MEANING_WORDS: Readonly<Record<StatusMeaning, string>> = {
  waiting: 'queued',
  working: 'running',
  good: 'done',
  bad: 'failed',
  ended: 'stopped',
  gone: 'deleted',
};

interface CauseRecord {
  /** The statuses beside which it can stand. */
  readonly of: readonly ExperimentStatus[];
  /** In place of the status. */
  readonly word: string;
  /** What it says, a sentence. */
  readonly means: string;
}

/** Why a run has its status. A client that knows the status alone is not wrong. */
const CAUSES = {
  reading: { of: ['pending'], word: 'being read', means: 'Its files are still being read.' },
  likely_finished: {
    of: ['succeeded'],
    word: 'probably finished',
    means: 'It came to its last step or saved its weights; no file states that it finished.',
  },
  diverged: {
    of: ['failed', 'running'],
    word: 'diverged',
    means: 'Its loss is lost, so its weights are of no use and it is ranked nowhere.',
  },
  error: { of: ['failed'], word: 'failed', means: 'An error ended it.' },
  ended_early: {
    of: ['stopped'],
    word: 'ended early',
    means: 'It was closed before its last step, by an error or by a person.',
  },
  stopped_early: {
    of: ['stopped'],
    word: 'stopped early',
    means: 'Other candidates of its job had a lower validation loss after the same part of their steps.',
  },
  interrupted: { of: ['stopped'], word: 'stopped', means: 'A person or a signal stopped it.' },
  killed: { of: ['stopped'], word: 'killed', means: 'Its process is gone, and no result was written.' },
  unsaid: { of: ['stopped'], word: 'ended', means: 'It is over, and its tracker never writes how a run ends.' },
  lost: { of: ['stopped'], word: 'lost', means: 'It fell silent, and no result was written.' },
} as const satisfies Record<string, CauseRecord>;

export type StatusCause = keyof typeof CAUSES;
export const STATUS_CAUSES = Object.keys(CAUSES) as readonly StatusCause[];

/** null: none that is known. */
export const toStatusCause = (value: unknown): StatusCause | null =>
  STATUS_CAUSES.find((cause) => cause === value) ?? null;

/** null: none is known that can stand beside the status. */
function toCauseRecord(status: string, cause: string | null | undefined): CauseRecord | null {
  const known = toStatusCause(cause);
  const record: CauseRecord | null = known && CAUSES[known];
  return record?.of.some((each) => each === status) ? record : null;
}

/** The word for a state: that of its cause, if the cause can stand beside the status. A status we don't know is its own word. */
export function toStateWord(status: string, cause: string | null | undefined = null): string {
  const record: StatusRecord | null = isKnownStatus(status) ? STATUSES[status] : null;
  return toCauseRecord(status, cause)?.word ?? record?.word ?? status;
}

/** What the word says, a sentence; null: the status says it. */
export function toStateMeaning(status: string, cause: string | null | undefined = null): string | null {
  const record = toCauseRecord(status, cause);
  return record === null || record.word === status ? null : record.means;
}

/** The statuses that a resource can have. */
type StatusOf<Resource extends StatusResource> = {
  [Status in KnownStatus]: Resource extends (typeof STATUSES)[Status]['of'][number] ? Status : never;
}[KnownStatus];

export type DatasetStatus = StatusOf<'dataset'>;
export type JobStatus = StatusOf<'job'>;
export type RecommendationStatus = StatusOf<'recommendation'>;
export type ExperimentStatus = StatusOf<'experiment'>;

export const KNOWN_STATUSES = Object.keys(STATUSES) as readonly KnownStatus[];

function toStatuses<Resource extends StatusResource>(resource: Resource): readonly StatusOf<Resource>[] {
  const isOf = (status: KnownStatus): status is StatusOf<Resource> =>
    STATUSES[status].of.some((each) => each === resource);
  return KNOWN_STATUSES.filter(isOf);
}

export const DATASET_STATUSES = toStatuses('dataset');
export const JOB_STATUSES = toStatuses('job');
export const RECOMMENDATION_STATUSES = toStatuses('recommendation');
export const EXPERIMENT_STATUSES = toStatuses('experiment');

// A map, because names such as `constructor` are not statuses.
const MEANINGS: ReadonlyMap<unknown, StatusMeaning> = new Map(
  KNOWN_STATUSES.map((status) => [status, STATUSES[status].meaning]),
);

export function isKnownStatus(status: string): status is KnownStatus {
  return MEANINGS.has(status);
}

/** null for a status that SPEC doesn't name. */
export function toStatusMeaning(status: string | null | undefined): StatusMeaning | null {
  return MEANINGS.get(status) ?? null;
}

/** True while the resource can still change by itself. An unknown status counts as settled. */
export function isActiveStatus(status: string | null | undefined): boolean {
  const meaning = MEANINGS.get(status);
  return meaning === 'waiting' || meaning === 'working';
}

/**
 * The status of a job from those of its runs: it goes on while one of them does or may. One that succeeded is a result,
 * whatever became of the others; if none did, what failed says more than what was stopped.
 */
export function toJobStatus(statuses: readonly ExperimentStatus[]): JobStatus {
  const meanings = new Set(statuses.map(toStatusMeaning));
  if (statuses.some(isActiveStatus)) return 'processing';
  if (meanings.has('good') || statuses.length === 0) return 'completed';
  return meanings.has('bad') ? 'failed' : 'stopped';
}

const SUCCEEDED: ReadonlySet<unknown> = new Set(
  EXPERIMENT_STATUSES.filter((status) => MEANINGS.get(status) === 'good'),
);

/** The experiment succeeded, so there is a model to try (SPEC 2.1). */
export function isSucceeded(status: string | null | undefined): boolean {
  return SUCCEEDED.has(status);
}

const SETTLED_RECOMMENDATIONS: ReadonlySet<unknown> = new Set(
  RECOMMENDATION_STATUSES.filter((status) => !isActiveStatus(status)),
);

/** The recommendation will not change any more (SPEC 4.2). One in an unknown status still may. */
export function isSettledRecommendation(status: string | null | undefined): boolean {
  return SETTLED_RECOMMENDATIONS.has(status);
}
