// The statuses of SPEC 3 and one of ours, one record each: which resources can have it, and what it means. Lists and
// checks of statuses are made from these records. Icons and colours are in `web/ui/statusLook.ts`.

export type StatusResource = 'dataset' | 'job' | 'recommendation' | 'experiment';

/** waiting: not started; working: in progress; good, bad: how it ended; ended: nobody knows how; gone: deleted. */
export type StatusMeaning = 'waiting' | 'working' | 'good' | 'bad' | 'ended' | 'gone';

interface StatusRecord {
  readonly of: readonly StatusResource[];
  readonly meaning: StatusMeaning;
}

/** In lifecycle order. Legends, filters and sorted columns use it. */
const STATUSES = {
  pending: { of: ['experiment'], meaning: 'waiting' },
  queued: { of: ['experiment'], meaning: 'waiting' },
  running: { of: ['experiment'], meaning: 'working' },
  deploying: { of: ['experiment'], meaning: 'working' },
  processing: { of: ['dataset', 'job', 'recommendation'], meaning: 'working' },
  succeeded: { of: ['experiment'], meaning: 'good' },
  completed: { of: ['dataset', 'job', 'recommendation'], meaning: 'good' },
  failed: { of: ['dataset', 'job', 'recommendation', 'experiment'], meaning: 'bad' },
  // ASSUMED: not in SPEC. A run of another trainer that ended without writing down how.
  stopped: { of: ['job', 'experiment'], meaning: 'ended' },
  deleted: { of: ['experiment'], meaning: 'gone' },
} as const satisfies Record<string, StatusRecord>;

export type KnownStatus = keyof typeof STATUSES;

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
