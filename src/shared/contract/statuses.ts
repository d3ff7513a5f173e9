// The states of each resource (SPEC 3) and which of them mean that something is still going on.

export const DATASET_STATUSES = ['processing', 'completed', 'failed'] as const;
export const JOB_STATUSES = ['processing', 'completed', 'failed'] as const;
export const RECOMMENDATION_STATUSES = ['processing', 'completed', 'failed'] as const;
export const EXPERIMENT_STATUSES = [
  'pending',
  'queued',
  'running',
  'deploying',
  'succeeded',
  'failed',
  'deleted',
] as const;

export type DatasetStatus = (typeof DATASET_STATUSES)[number];
export type JobStatus = (typeof JOB_STATUSES)[number];
export type RecommendationStatus = (typeof RECOMMENDATION_STATUSES)[number];
export type ExperimentStatus = (typeof EXPERIMENT_STATUSES)[number];
export type KnownStatus = DatasetStatus | ExperimentStatus;

/** Every status that SPEC names, in the order in which legends and filters list them. */
export const KNOWN_STATUSES = [
  'pending',
  'queued',
  'running',
  'deploying',
  'processing',
  'succeeded',
  'completed',
  'failed',
  'deleted',
] as const satisfies readonly KnownStatus[];

const ACTIVE: ReadonlySet<string> = new Set(['pending', 'queued', 'running', 'deploying', 'processing']);

/** True while the resource can still change by itself; an unknown status counts as settled. */
export function isActiveStatus(status: string | undefined): boolean {
  return status !== undefined && ACTIVE.has(status);
}

export function isKnownStatus(status: string): status is KnownStatus {
  return (KNOWN_STATUSES as readonly string[]).includes(status);
}
