// What a failed request says to a person.
import { ApiFailure } from '#web/api/failure.ts';

export interface ErrorWords {
  readonly detail: string;
  /** What to do next; never empty. */
  readonly hint: string;
}

/** Words of an ApiFailure, or of anything else that went wrong. */
export function toErrorWords(error: Error): ErrorWords {
  const hint = error instanceof ApiFailure ? error.hint : '';
  return { detail: error.message || error.name, hint: hint || 'Try again. If it stays, reload the page.' };
}
