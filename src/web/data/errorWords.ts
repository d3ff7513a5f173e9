// What an error notice says of a failed request.
import { ApiFailure } from '#web/api/failure.ts';

export function toErrorWords(error: Error): { readonly detail: string; readonly hint: string } {
  return { detail: error.message, hint: error instanceof ApiFailure ? error.hint : 'Try again.' };
}
