// The categories of an axis that get a label.

const LABEL_PIXELS = 13;

/** Places of the labels that fit, evenly spread, and of the active one, which hides neighbours that it would cover. */
export function toShownCategories(
  categories: readonly string[],
  pixels: number,
  active: number | null,
): readonly number[] {
  const every = Math.max(1, Math.ceil((categories.length * LABEL_PIXELS) / Math.max(pixels, 1)));
  const spread = [...categories.keys()].filter((index) => index % every === 0);
  if (active === null || active % every === 0) return spread;
  return [...spread.filter((index) => Math.abs(index - active) >= every), active].sort((a, b) => a - b);
}
