// Moving the edge between two neighbouring panels: only those two change. Pure; widths are shares of the window in
// percent.

export interface EdgePair {
  /** Widths of the panels left and right of the edge. */
  readonly left: number;
  readonly right: number;
  /** The least widths at which they can be read. */
  readonly minLeft: number;
  readonly minRight: number;
}

export interface Widths {
  readonly left: number;
  readonly right: number;
}

/**
 * The widths with the edge at `left`. A panel is never narrower than it can be read; pushed to less than half of that
 * it closes. In a window too small for both the edge stays where it is.
 */
export function moveEdge({ left: before, right, minLeft, minRight }: EdgePair, left: number): Widths {
  const sum = before + right;
  if (left < minLeft / 2) return { left: 0, right: sum };
  if (sum - left < minRight / 2) return { left: sum, right: 0 };
  if (sum < minLeft + minRight) return { left: before, right };
  const kept = Math.min(sum - minRight, Math.max(minLeft, left));
  return { left: kept, right: sum - kept };
}

const STEP = 2;

/**
 * Where a key puts the edge; null for a key that doesn't move it. Home and End make a panel as narrow as can be read.
 * No key closes a panel, nor moves the edge in a window that is too small for both.
 */
export function keyEdge({ left, right, minLeft, minRight }: EdgePair, key: string): number | null {
  const most = left + right - minRight;
  if (most < minLeft) return null;
  if (key === 'ArrowLeft') return Math.min(left, Math.max(minLeft, left - STEP));
  if (key === 'ArrowRight') return Math.max(left, Math.min(most, left + STEP));
  if (key === 'Home') return minLeft;
  return key === 'End' ? most : null;
}
