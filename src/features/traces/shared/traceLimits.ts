// Apart from the schemas, which a page does not need.

export const TRACE_LIMITS = {
  /** ASSUMED: ours. Traces of a page, and of a request that adds some. */
  page: 50,
  added: 1_000,
  /** ASSUMED: ours. Traces between a page that is asked for by its number and the nearest one before it that is known. */
  skipped: 2_000,
  /** ASSUMED: ours. Characters of an input, of an output, of a search. */
  text: 100_000,
  search: 500,
  /** As the hosted studio has it. */
  feedback: 2_048,
  /** ASSUMED: ours. Models that a filter names; groups (project, model and band of the score) that a studio keeps. */
  models: 50,
  groups: 5_000,
  /** ASSUMED: ours. Traces that wait for a correction. */
  waiting: 1_000,
  /** ASSUMED: ours. Days that a project keeps traces, at most. */
  days: 3_650,
} as const;

/**
 * From this score on a trace is good: its answer becomes a row as it is; below, a model corrects it first.
 * ASSUMED: the hosted studio says "above a threshold" without naming it.
 */
export const GOOD_SCORE = 0.8;

export const BANDS = ['unscored', 'weak', 'good'] as const;
export type Band = (typeof BANDS)[number];

export function toBand(score: number | null): Band {
  if (score === null) return 'unscored';
  return score >= GOOD_SCORE ? 'good' : 'weak';
}
