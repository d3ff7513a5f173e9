// Colours of compared candidates, the same in lists, table and plot. Class names are whole, so that Tailwind finds
// them. Colour is never the only sign: every use has a name beside it.

const SWATCHES = ['bg-s1', 'bg-s2', 'bg-s3', 'bg-s4', 'bg-s5', 'bg-s6', 'bg-s7', 'bg-s8'] as const;
/** Colours repeat after this many. */
export const COLORS = SWATCHES.length;

const CHECKS = [
  'accent-s1',
  'accent-s2',
  'accent-s3',
  'accent-s4',
  'accent-s5',
  'accent-s6',
  'accent-s7',
  'accent-s8',
] as const;

function pick(classes: readonly string[], series: number): string {
  return classes[series % classes.length] ?? '';
}

/** Background of a candidate's swatch; colours repeat after eight. */
export function swatchClass(series: number): string {
  return `keeps-color ${pick(SWATCHES, series)}`;
}

/** Colour of a candidate's checkbox. */
export function checkClass(series: number): string {
  return pick(CHECKS, series);
}
