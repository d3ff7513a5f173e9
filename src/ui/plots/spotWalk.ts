// Moves from point to point by keys, and describes a point in words.
import { toAxisText, type PlotAxis, type PlotRow } from '#ui/plots/scales/axes.ts';
import type { Spot } from './scatterLayout.ts';

/**
 * The active place after a key; null for a key that moves nothing, or when there is no point. `up`: which way the arrow
 * up goes.
 */
export function reduceWalk(active: number | null, count: number, key: string, up: 1 | -1 = 1): number | null {
  const now = active ?? 0;
  const next = {
    ArrowRight: active === null ? 0 : now + 1,
    ArrowLeft: now - 1,
    ArrowUp: active === null ? 0 : now + up,
    ArrowDown: now - up,
    PageUp: now + 10 * up,
    PageDown: now - 10 * up,
    Home: 0,
    End: count - 1,
  }[key];
  return next === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, next));
}

/** "Experiment 3: learning_rate 1e-4, last_loss 0.2, 3 here". */
export function toSpotText(spot: Spot, rows: readonly PlotRow[], axes: readonly PlotAxis[]): string {
  const row = spot.rows[0] ?? -1;
  const values = axes.map((axis) => `${axis.label} ${toAxisText(axis, axis.values[row] ?? null)}`);
  const more = spot.rows.length > 1 ? `, ${spot.rows.length} here` : '';
  return `${rows[row]?.label ?? ''}: ${values.join(', ')}${more}`;
}
