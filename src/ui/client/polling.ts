// When to request again. Pure functions of the last answer, its age and the last error; randomness is an argument.
import type { ReadJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isActiveStatus, isSettledRecommendation } from '#core/contract/statuses.ts';
import { ApiFailure } from './failure.ts';

const ACTIVE_MS = 2000;
const JOB_MS = 5000;
const SETTLED_MS = 15_000;
const SLOWEST_MS = 60_000;
/** A service that restarts is back within seconds, and a refused connection costs almost nothing. */
const SILENT_MS = 2000;

const activity = new WeakMap<TreeNode, boolean>();

function hasActiveNode(root: TreeNode): boolean {
  const open: TreeNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (isActiveStatus(node.status)) return true;
    for (const child of node.children) open.push(child);
  }
  return false;
}

/** True while anything in the tree can still change by itself. Cached per tree. */
export function isTreeActive(tree: TreeNode): boolean {
  const known = activity.get(tree);
  if (known !== undefined) return known;
  const isActive = hasActiveNode(tree);
  activity.set(tree, isActive);
  return isActive;
}

/**
 * After a download that was cut off, or a service that hangs: the first retry is as quick as after a restart, the next
 * ones slower and slower.
 */
const costlyInterval = (failures: number): number =>
  Math.min(SLOWEST_MS, SILENT_MS * 2 ** Math.min(Math.max(0, failures - 1), 10));

/**
 * Milliseconds until the next try. `base` doubles with each failure in a row, up to a minute.
 * - Refused connection: 2 s.
 * - Cut off or too late: 2 s, then doubled, because each try costs as much as the last.
 * - With `Retry-After`: as long as the service asks for, and at least 2 s.
 * - Signed out: false, because asking can't help.
 */
export function intervalOnError(base: number, failures: number, error: unknown): number | false {
  if (error instanceof ApiFailure && error.status === 401) return false;
  if (error instanceof ApiFailure && error.kind === 'network')
    return error.isCostly ? costlyInterval(failures) : SILENT_MS;
  if (error instanceof ApiFailure && !isRetryable(error)) return SLOWEST_MS;
  if (error instanceof ApiFailure && error.retryAfterMs !== null) return Math.max(SILENT_MS, error.retryAfterMs);
  return Math.min(SLOWEST_MS, base * 2 ** Math.min(failures, 10));
}

/** The state of a polling query: its last answer, and the number of failures in a row since. */
export interface PollState<T> {
  readonly data: T | undefined;
  /** null: the last request was answered. */
  readonly error: unknown;
  readonly failures: number;
}

/**
 * Milliseconds until the next request for the project: 2 s while anything is active, else 15 s; for errors see
 * intervalOnError.
 */
export function treeInterval({ data, error, failures }: PollState<TreeNode>): number | false {
  const base = data && !isTreeActive(data) ? SETTLED_MS : ACTIVE_MS;
  return error ? intervalOnError(base, failures, error) : base;
}

/** Milliseconds until the next request while no project is open: 15 s; for errors see intervalOnError. */
export function idleInterval({ error, failures }: PollState<unknown>): number | false {
  return error ? intervalOnError(SETTLED_MS, failures, error) : SETTLED_MS;
}

/**
 * Milliseconds until the next request for the recommendation (SPEC 4.2). `ageMs`: how long this status has been seen.
 */
export function recommendationInterval(state: PollState<{ readonly status: string }>, ageMs: number): number | false {
  const { data, error, failures } = state;
  if (isSettledRecommendation(data?.status)) return false;
  if (error) return intervalOnError(1000, failures, error);
  if (ageMs < 10_000) return 1000;
  return ageMs < 120_000 ? 2500 : 5000;
}

/** Milliseconds until the next request for a job: 5 s while it or one of its experiments is active, else false. */
export function jobInterval({ data, error, failures }: PollState<ReadJob | null>): number | false {
  const isActive = data && [data, ...data.experiments].some(({ status }) => isActiveStatus(status));
  if (data !== undefined && !isActive) return false;
  return error ? intervalOnError(JOB_MS, failures, error) : JOB_MS;
}

/** Whether a retry can help: 408, 409, 429, >= 500, no answer; `x-should-retry` overrides. */
export function isRetryable(failure: ApiFailure): boolean {
  if (failure.kind === 'network') return true;
  if (failure.kind !== 'http' || failure.status === null) return false;
  if (failure.shouldRetry !== null) return failure.shouldRetry;
  return failure.status === 408 || failure.status === 409 || failure.status === 429 || failure.status >= 500;
}

/** Whether the service asked to wait until after `now` (Unix milliseconds, as `errorUpdatedAt`). */
export function hasToWait(
  { error, errorUpdatedAt }: { readonly error: unknown; readonly errorUpdatedAt: number },
  now: number,
): boolean {
  return error instanceof ApiFailure && errorUpdatedAt + (error.retryAfterMs ?? 0) > now;
}

/**
 * Milliseconds before try number `attempt` + 2 (`attempt` counts from 0): what the service asked for, else 0.5 s
 * doubled each time up to 8 s, minus up to a quarter by `random` (0 to 1), so that clients spread out.
 */
export function retryDelay(attempt: number, failure: unknown, random: number): number {
  if (failure instanceof ApiFailure && failure.retryAfterMs !== null) {
    // Spread out too, but never earlier than asked.
    return failure.retryAfterMs * (1 + 0.25 * random);
  }
  return Math.min(8000, 500 * 2 ** Math.min(attempt, 10)) * (1 - 0.25 * random);
}
