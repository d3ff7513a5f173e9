// Exports of what has already been trained: what is said of each run, and how many there are.
// It must not know any format.
import { isActiveStatus } from '../contract/statuses';
import type { Candidate } from './candidates';

/** `already run: failed: loss is not finite`; null for what is only recommended. */
export function toRunNote({ origin, status, failure }: Candidate): string | null {
  if (origin !== 'run') return null;
  if (status !== null && isActiveStatus(status)) return `already started: ${status}`;
  return ['already run', status ?? 'status not given', ...(failure === null ? [] : [failure])].join(': ');
}

/** A sentence; null when nothing of it was run. */
export function findRunsNote(candidates: readonly Candidate[]): string | null {
  const count = candidates.filter(({ origin }) => origin === 'run').length;
  if (count === 0) return null;
  if (candidates.length === 1) return 'It was already run.';
  return `${count} of ${candidates.length} ${count === 1 ? 'was' : 'were'} already run.`;
}
