// The answers of the jobs so far, in one object. Pure.
import type { ReadJob } from '#core/contract/jobReader.ts';

export interface JobState {
  readonly id: string;
  /** null: the service hides this job; undefined: no answer yet. */
  readonly answer: ReadJob | null | undefined;
  /** Why the last request failed; null when it did not. */
  readonly error: Error | null;
}

export interface JobAnswers {
  /** Answers so far; null for a job that the service hides. */
  readonly byId: ReadonlyMap<string, ReadJob | null>;
  /** Requested, neither answered nor failed. */
  readonly pending: ReadonlySet<string>;
  readonly requested: number;
  readonly failed: number;
  /** One of the failures. */
  readonly error: Error | null;
  /** All requested jobs (one or more) have answered, and the service hides every one. */
  readonly isHidden: boolean;
}

export const NO_ANSWERS: JobAnswers = {
  byId: new Map(),
  pending: new Set(),
  requested: 0,
  failed: 0,
  error: null,
  isHidden: false,
};

/** This many are requested first, spread over all. If the service hides all of these, the others are not requested. */
const SAMPLED = 6;

function toSample(ids: readonly string[]): readonly string[] {
  if (ids.length <= SAMPLED) return ids;
  const places = new Set(Array.from({ length: SAMPLED }, (_, n) => Math.round((n * (ids.length - 1)) / (SAMPLED - 1))));
  return ids.filter((_, place) => places.has(place));
}

/** The jobs to request: a few until the service shows one or fails, then all. */
export function toRequestedIds(ids: readonly string[], states: readonly JobState[]): readonly string[] {
  const isWorthRequesting = states.some(
    ({ answer, error }) => (answer !== null && answer !== undefined) || error !== null,
  );
  return isWorthRequesting ? ids : toSample(ids);
}

export function toJobAnswers(states: readonly JobState[]): JobAnswers {
  const byId = new Map<string, ReadJob | null>();
  const pending = new Set<string>();
  let failed = 0;
  let error: Error | null = null;
  for (const state of states) {
    if (state.answer !== undefined) byId.set(state.id, state.answer);
    else if (state.error) {
      failed += 1;
      error = state.error;
    } else pending.add(state.id);
  }
  const isHidden =
    byId.size > 0 && byId.size === states.length && [...byId.values()].every((answer) => answer === null);
  return { byId, pending, requested: states.length, failed, error, isHidden };
}
