// Whether a run failed because of its settings. One that the machine ended says nothing of them: killed, no memory, a full disk, a
// worker that was lost. Pure.

/** Losses whose means are compared. */
const MEAN_OF = 5;
/** A loss that wavers around its start is not above it. */
const MARGIN = 1.1;
/** Of trainers that end before they write the loss. */
const SAID = /\bdiverge[ds]?\b|\bdivergence\b|not (?:a )?finite|\b(?:nan|inf)\b/i;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** `losses`: of training, in the order of steps; null: not a finite number. `reason`: why it failed. */
export function hasDiverged(losses: readonly (number | null)[], reason: string | null): boolean {
  if (losses.some((loss) => loss === null || !Number.isFinite(loss))) return true;
  const known = losses.filter((loss) => loss !== null);
  const isLong = known.length >= 2 * MEAN_OF;
  if (isLong && meanOf(known.slice(-MEAN_OF)) > meanOf(known.slice(0, MEAN_OF)) * MARGIN) return true;
  return reason !== null && SAID.test(reason);
}
