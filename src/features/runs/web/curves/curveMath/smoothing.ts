// Smoothing of a curve. Pure.

/** The strongest choice: an average over about 100 points. */
export const MOST_SMOOTHING = 0.99;

/**
 * Exponential moving average, corrected for its start (as in TensorBoard): the first values are not drawn towards 0.
 * `weight`: how much of the last average stays, 0 to below 1. Values that are not finite stay and don't count.
 */
export function toSmoothed(values: Float64Array, weight: number): Float64Array {
  if (weight <= 0) return values;
  const smoothed = new Float64Array(values.length);
  let [sum, total] = [0, 0];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? Number.NaN;
    if (!Number.isFinite(value)) {
      smoothed[at] = value;
      continue;
    }
    sum = sum * weight + value * (1 - weight);
    total = total * weight + (1 - weight);
    smoothed[at] = sum / total;
  }
  return smoothed;
}
