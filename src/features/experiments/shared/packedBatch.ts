// The parameter that says what a packed batch is in rows. Its value is made in packing.ts.
import type { Candidate } from './candidates.ts';

export const PACKED_BATCH = 'batch_in_rows';

/** What the batch of a candidate is in rows; null if nothing says that it is packed. */
export function findPackedText({ extras }: Candidate): string | null {
  const value = extras.find(({ name }) => name === PACKED_BATCH)?.value;
  return typeof value === 'string' ? value : null;
}
