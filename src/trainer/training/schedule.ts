// The learning rate of each step, and whether a run has diverged.

/** Steps, of runs that have at least five times as many. */
export const WARM_UP_STEPS = 20;
const LEAST_SHARE = 0.1;

export interface Schedule {
  /** Missing: 20 steps, at most a fifth of all. */
  readonly warmup_steps?: number | undefined;
  /** Missing: cosine. */
  readonly scheduler?: 'linear' | 'cosine' | 'constant' | undefined;
}

/** By the part of a run that is done. A line ends at 0, a cosine at a tenth. */
const SHARES = {
  linear: (progress: number): number => 1 - progress,
  cosine: (progress: number): number => LEAST_SHARE + (1 - LEAST_SHARE) * 0.5 * (1 + Math.cos(Math.PI * progress)),
  constant: (): number => 1,
} as const;

/** Rises over the warm-up and falls along the scheduler's line. `step` from 1 on. */
export function toRate(step: number, steps: number, rate: number, schedule: Schedule = {}): number {
  const { warmup_steps = Math.min(WARM_UP_STEPS, Math.floor(steps / 5)), scheduler = 'cosine' } = schedule;
  const share = SHARES[scheduler]((step - 1) / Math.max(1, steps));
  return rate * Math.min(1, step / Math.max(1, warmup_steps)) * share;
}

const WINDOW = 20;
const FIRST_JUDGED = 40;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Why a run whose losses these are has diverged; null: it has not. A loss that is no number is judged at once. After
 * 40 steps, the mean of the last 20 must not be clearly above the start, nor far above the best that was reached.
 */
export function findDivergence(losses: readonly number[]): string | null {
  const last = losses.at(-1) ?? 0;
  if (!Number.isFinite(last)) return `The loss is not finite at step ${losses.length}.`;
  if (losses.length < FIRST_JUDGED) return null;
  const recent = mean(losses.slice(-WINDOW));
  const start = mean(losses.slice(0, 3));
  if (recent > start * 1.1 + 0.1)
    return `The loss rose above its start: ${recent.toFixed(3)} over the last ${WINDOW} steps, ${start.toFixed(3)} at first.`;
  let best = Number.POSITIVE_INFINITY;
  for (let from = 0; from + WINDOW <= losses.length; from += WINDOW)
    best = Math.min(best, mean(losses.slice(from, from + WINDOW)));
  return recent > best * 4 + 1
    ? `The loss rose from ${best.toFixed(3)} to ${recent.toFixed(3)}, each a mean of ${WINDOW} steps.`
    : null;
}
