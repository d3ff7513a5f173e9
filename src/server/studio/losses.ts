// Thins loss curves so that they still look the same. Pure.

/** null: not a finite number. */
export interface LossPoint {
  readonly step: number;
  readonly loss: number | null;
}

interface FiniteLoss {
  readonly step: number;
  readonly loss: number;
}

const isFiniteLoss = (point: LossPoint): point is FiniteLoss => point.loss !== null;

/** The points with the lowest and the highest loss, in the order of their steps. */
function toExtremes(stretch: readonly FiniteLoss[]): FiniteLoss[] {
  const [first] = stretch;
  if (!first) return [];
  let low = first;
  let high = first;
  for (const point of stretch) {
    if (point.loss < low.loss) low = point;
    if (point.loss > high.loss) high = point;
  }
  if (low === high) return [low];
  return low.step < high.step ? [low, high] : [high, low];
}

/**
 * At most `limit` points: the first, the last, the extremes of equal stretches between them, and the first loss
 * that is not a finite number.
 */
export function thinLosses(points: readonly LossPoint[], limit: number): readonly LossPoint[] {
  if (points.length <= limit) return points;
  const inner = points.slice(1, -1);
  const broken = inner.filter(({ loss }) => loss === null).slice(0, 1);
  const finite = inner.filter(isFiniteLoss);
  const stretches = Math.floor((limit - 2 - broken.length) / 2);
  const extremes = Array.from({ length: stretches }, (_, index) => {
    const start = Math.floor((index * finite.length) / stretches);
    return toExtremes(finite.slice(start, Math.floor(((index + 1) * finite.length) / stretches)));
  });
  const between = [...extremes.flat(), ...broken].toSorted((a, b) => a.step - b.step);
  return [...points.slice(0, 1), ...between, ...points.slice(-1)];
}
