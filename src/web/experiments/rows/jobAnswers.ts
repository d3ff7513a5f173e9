// What the jobs have answered so far, as one picture. Pure.
import type { ReadJob } from '#shared/contract/jobReader.ts';

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
  /** Asked, neither answered nor failed. */
  readonly pending: ReadonlySet<string>;
  readonly asked: number;
  readonly failed: number;
  /** One of the failures. */
  readonly error: Error | null;
  /** Some were asked, all answered, and the service hides every one. */
  readonly isHidden: boolean;
}

export const NO_ANSWERS: JobAnswers = {
  byId: new Map(),
  pending: new Set(),
  asked: 0,
  failed: 0,
  error: null,
  isHidden: false,
};

/**
 * This many are asked first, spread over all. If the service hides all of them, it is not asked for hundreds more.
 */
const SAMPLED = 6;

function toSample(ids: readonly string[]): readonly string[] {
  if (ids.length <= SAMPLED) return ids;
  const places = new Set(Array.from({ length: SAMPLED }, (_, n) => Math.round((n * (ids.length - 1)) / (SAMPLED - 1))));
  return ids.filter((_, place) => places.has(place));
}

/** The jobs to ask next: a few until one is shown or fails, then all. */
export function toAskedIds(ids: readonly string[], states: readonly JobState[]): readonly string[] {
  const isWorthAsking = states.some(({ answer, error }) => (answer !== null && answer !== undefined) || error !== null);
  return isWorthAsking ? ids : toSample(ids);
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
  return { byId, pending, asked: states.length, failed, error, isHidden };
}
