// What a notice says of a failed request.
import { ApiFailure } from '#web/api/failure.ts';

export function toErrorWords(error: unknown): { readonly detail: string; readonly hint: string } {
  const detail = error instanceof Error ? error.message : String(error);
  return { detail, hint: error instanceof ApiFailure ? error.hint : 'Try again.' };
}
