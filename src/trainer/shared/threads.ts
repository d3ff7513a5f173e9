// On how many threads the built-in trainer computes a run, and what each has room for. Pure.

/** Tokens of one pass through the model on all threads together, which bound its memory. */
const PASS_TOKENS = 1024;
/** More would wait for each other: each has few rows, and all gradients are summed. */
const MOST_THREADS = 8;

/** No thread has less than one sequence of a batch. */
export const countThreads = (allowed: number, batchSize: number): number =>
  Math.max(1, Math.min(allowed, batchSize, MOST_THREADS));

/** Tokens of one pass on each thread. Rows are not cut, so one may have up to a row more than its part. */
export const toThreadTokens = (threads: number, longest: number): number =>
  threads === 1 ? Math.max(PASS_TOKENS, longest) : Math.ceil(PASS_TOKENS / threads) + longest;
