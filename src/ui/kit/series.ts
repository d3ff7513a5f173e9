// Colours of compared candidates, the same in lists, table and plot. Class names are whole, so that Tailwind finds
// them. Colour is never the only sign: every use has a name beside it.

const SWATCHES = [
  'bg-series-1',
  'bg-series-2',
  'bg-series-3',
  'bg-series-4',
  'bg-series-5',
  'bg-series-6',
  'bg-series-7',
  'bg-series-8',
] as const;
/** Colours repeat after this many. */
export const COLORS = SWATCHES.length;

const CHECKS = [
  'accent-series-1',
  'accent-series-2',
  'accent-series-3',
  'accent-series-4',
  'accent-series-5',
  'accent-series-6',
  'accent-series-7',
  'accent-series-8',
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
