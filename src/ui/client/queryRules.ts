// What all queries of the dashboard share: retries, reading an answer, the state that polling looks at.
import type { Read } from '#core/contract/readJson.ts';
import { requestShown } from './call.ts';
import { ApiFailure, isMissing, toShapeFailure } from './failure.ts';
import { hasToWait, isRetryable, retryDelay, type PollState } from './polling.ts';
import { readJson, type Connection } from './request.ts';

const MAX_RETRIES = 2;

/** Shared options. A studio on this machine answers without a network, so being "offline" never pauses a query. */
export const BASE = {
  networkMode: 'always',
  retry: (count: number, error: Error) => count < MAX_RETRIES && error instanceof ApiFailure && isRetryable(error),
  retryDelay: (count: number, error: Error) => retryDelay(count, error, Math.random()),
  refetchOnWindowFocus: ({
    state,
  }: {
    readonly state: { readonly error: Error | null; readonly errorUpdatedAt: number };
  }) => !hasToWait(state, Date.now()),
} as const;

/** A polled query repeats at its growing interval, and at once only where that costs nothing. */
export const POLLED = {
  ...BASE,
  retry: (count: number, error: Error) => BASE.retry(count, error) && !(error instanceof ApiFailure && error.isCostly),
} as const;

export async function fetchJson<T>(
  path: string,
  read: (body: unknown) => Read<T>,
  signal: AbortSignal,
  connection: Connection,
): Promise<T> {
  const answer = await requestShown(path, { signal, connection });
  const result = read(readJson(answer));
  if (!result.ok) throw toShapeFailure(answer.status, answer.headers, result.reason);
  return result.value;
}

/** For an endpoint that is not in SPEC: a service without it answers 404, and the page hides that part. */
export function hideMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** The part of React Query's `Query` that polling reads. */
interface PolledQuery<T> {
  readonly state: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly dataUpdateCount: number;
    readonly errorUpdateCount: number;
  };
}

const streaks = new WeakMap<object, { readonly answers: number; readonly errors: number }>();

/** A query's state for polling. React Query counts errors over all time; here they count since the last answer. */
export function toPollState<T>(query: PolledQuery<T>): PollState<T> {
  const { state } = query;
  const known = streaks.get(query);
  const streak =
    known && known.answers === state.dataUpdateCount
      ? known
      : { answers: state.dataUpdateCount, errors: state.errorUpdateCount - (state.error ? 1 : 0) };
  streaks.set(query, streak);
  return { data: state.data, error: state.error, failures: state.errorUpdateCount - streak.errors };
}
