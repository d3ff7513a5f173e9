/** The header of a request that must make at most one job: the same key and body give the same job again. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
