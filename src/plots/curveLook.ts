// Colour and dashes of a curve: eight colours, then the same ones dashed, so that no two of sixteen look alike.
// It must not know where the curve runs.

const DASHES = ['none', '6 3', '2 3'] as const;

export interface CurveLook {
  readonly stroke: string;
  readonly strokeDasharray: string;
}

/** A curve without a place among the selected is neutral. */
export function toCurveLook(series: number | null): CurveLook {
  if (series === null) return { stroke: 'var(--soft)', strokeDasharray: 'none' };
  return { stroke: `var(--s${(series % 8) + 1})`, strokeDasharray: DASHES[Math.floor(series / 8) % DASHES.length] ?? 'none' };
}
