// Moves from point to point by keys, and describes a point in words.
import { toAxisText, type PlotAxis, type PlotRow } from '#ui/plots/scales/axes.ts';
import type { Spot } from './scatterLayout.ts';

/** The active place after a key; null for a key that moves nothing, or when there is no point. */
export function reduceWalk(active: number | null, count: number, key: string): number | null {
  if (count === 0) return null;
  const clamp = (index: number): number => Math.min(count - 1, Math.max(0, index));
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return active === null ? 0 : clamp(active + 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return clamp((active ?? 0) - 1);
    case 'PageUp':
      return clamp((active ?? 0) + 10);
    case 'PageDown':
      return clamp((active ?? 0) - 10);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** "Experiment 3: learning_rate 1e-4, last_loss 0.2, 3 here". */
export function toSpotText(spot: Spot, rows: readonly PlotRow[], axes: readonly PlotAxis[]): string {
  const row = spot.rows[0] ?? -1;
  const values = axes.map((axis) => `${axis.label} ${toAxisText(axis, axis.values[row] ?? null)}`);
  const more = spot.rows.length > 1 ? `, ${spot.rows.length} here` : '';
  return `${rows[row]?.label ?? ''}: ${values.join(', ')}${more}`;
}
