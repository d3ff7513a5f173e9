// The colour of each row by its value on one axis, and the legend. Pure.
import { NOT_GIVEN, toAxisText, type PlotAxis } from '#ui/plots/scales/axes.ts';
import type { PlotValue } from '#ui/plots/scales/brush.ts';
import { toEdge, toFraction, type Scale } from '#ui/plots/scales/scale.ts';

/** Steps from low to high; the tokens are in plotColors.css. */
const STEPS = ['--scale-1', '--scale-2', '--scale-3', '--scale-4', '--scale-5', '--scale-6', '--scale-7'] as const;
/** One for each category; further categories share a neutral one. */
const WORDS = [
  '--category-1',
  '--category-2',
  '--category-3',
  '--category-4',
  '--category-5',
  '--category-6',
  '--category-7',
] as const;
const OTHERS = '--neutral';
/** The neutral colour of a row without a value, whose mark is broken or hollow as well. */
export const NO_VALUE = '--faint';

interface LegendEntry {
  readonly token: string;
  readonly text: string;
}

type Legend =
  /**
   * Steps of one size, with the lowest, the middle and the highest value; one step if all values are equal.
   */
  | { readonly kind: 'steps'; readonly tokens: readonly string[]; readonly labels: readonly string[] }
  | { readonly kind: 'words'; readonly entries: readonly LegendEntry[] };

export interface Coloring {
  readonly axis: PlotAxis;
  /** A token for each row. */
  readonly tokens: readonly string[];
  readonly legend: Legend;
  /** Rows without a value. */
  readonly missing: number;
}

const countOf = (values: readonly PlotValue[], value: PlotValue): number =>
  values.reduce<number>((sum, entry) => sum + Number(entry === value), 0);

function toStepLegend(axis: Extract<PlotAxis, { kind: 'number' }>, scale: Scale): Legend {
  if (axis.min === axis.max) return { kind: 'steps', tokens: [toStep(0.5)], labels: [toAxisText(axis, axis.min)] };
  const labels = [axis.min, toEdge({ ...axis, ...scale }, 0.5, STEPS.length), axis.max].map((value) =>
    toAxisText(axis, value),
  );
  return {
    kind: 'steps',
    tokens: STEPS,
    labels: new Set(labels).size === 3 ? labels : [labels[0] ?? '', labels[2] ?? ''],
  };
}

function toStep(fraction: number): string {
  return STEPS[Math.min(STEPS.length - 1, Math.floor(fraction * STEPS.length))] ?? STEPS[0];
}

/**
 * The categories with their own colour: all, or the most frequent if they are too many; in natural order.
 */
function toOwnCategories(categories: readonly string[], values: readonly PlotValue[]): readonly string[] {
  if (categories.length <= WORDS.length) return categories;
  const counts = new Map<PlotValue, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const frequent = new Set(
    categories.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, WORDS.length),
  );
  return categories.filter((category) => frequent.has(category));
}

/** Numbers use all steps on the axis' scale, from the smallest to the largest value. */
export function toColoring(axis: PlotAxis): Coloring {
  const missing = axis.hasMissing ? countOf(axis.values, null) : 0;
  if (axis.kind === 'number') {
    const scale: Scale = { scale: axis.scale, from: axis.min, to: axis.max };
    const tokens = axis.values.map((value) =>
      typeof value === 'number' ? toStep(toFraction(scale, value)) : NO_VALUE,
    );
    return { axis, tokens, legend: toStepLegend(axis, scale), missing };
  }
  const own = toOwnCategories(axis.categories, axis.values);
  const tokenOf = new Map<PlotValue, string>(own.map((category, index) => [category, WORDS[index] ?? OTHERS]));
  const tokens = axis.values.map((value) => (value === null ? NO_VALUE : (tokenOf.get(value) ?? OTHERS)));
  const entries = own.map((category) => ({ token: tokenOf.get(category) ?? OTHERS, text: axis.toText(category) }));
  const others = axis.categories.length - own.length;
  return {
    axis,
    tokens,
    legend: {
      kind: 'words',
      entries: others === 0 ? entries : [...entries, { token: OTHERS, text: `${others} others` }],
    },
    missing,
  };
}

export interface ColorOption {
  readonly value: string;
  readonly label: string;
}

type Named = Pick<PlotAxis, 'id' | 'label'>;

/**
 * The choices to colour by: the selection, then the `given` columns. A choice of a link that is none of them is listed
 * as "not here".
 */
export function toColorOptions(
  plain: string,
  given: readonly Named[],
  all: readonly Named[],
  by: string | null,
): readonly ColorOption[] {
  const options = [{ value: '', label: plain }, ...given.map(({ id, label }) => ({ value: id, label }))];
  if (by === null || options.some(({ value }) => value === by)) return options;
  return [...options, { value: by, label: `${all.find(({ id }) => id === by)?.label ?? by} (not here)` }];
}

/** The legend in words: "coloured by last_loss: steps from 0.2 to 3.1, logarithmic; 2 not given, in grey". */
export function toColoringText({ axis, legend, missing }: Coloring): string {
  const grey = missing === 0 ? '' : `; ${missing} ${NOT_GIVEN}, in grey`;
  if (legend.kind === 'words')
    return `coloured by ${axis.label}: ${legend.entries.map(({ text }) => text).join(', ')}${grey}`;
  const scale = axis.scale === 'log' ? 'logarithmic' : 'linear';
  const range =
    legend.labels.length === 1
      ? `all ${legend.labels[0]}`
      : `${legend.tokens.length} steps from ${legend.labels[0]} to ${legend.labels.at(-1)}, ${scale}`;
  return `coloured by ${axis.label}: ${range}${grey}`;
}
