// How each row is drawn, and in which order: pale ones first, then those without a value, then the others, then the
// selected, so that these lie on top.
import type { PlotColumn, PlotRow } from '#web/plots/scales/axes.ts';
import { matchesBrush, type Brush } from '#web/plots/scales/brush.ts';
import { NO_VALUE } from './coloring.ts';
import { toRound, toRoundDashes, toSeriesToken } from './curveLook.ts';

export interface Mark {
  readonly row: number;
  readonly isFaded: boolean;
  readonly series: number | null;
  /** Token of the row's value where rows are coloured by one; else null. */
  readonly tint: string | null;
}

type Look = Pick<Mark, 'series' | 'isFaded' | 'tint'>;

/** Whether each row is inside the brush and not faded by the caller. */
export function toIsOn<Row extends PlotRow>(
  rows: readonly Row[],
  columns: readonly PlotColumn<Row>[],
  brush: Brush,
): readonly boolean[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return rows.map((row) => row.isFaded !== true && matchesBrush(brush, (id) => byId.get(id)?.read(row)));
}

/** `tints`: a token for each row; null where colours are those of the selection. */
export function toMarks(
  rows: readonly PlotRow[],
  isOn: readonly boolean[],
  tints: readonly string[] | null,
): readonly Mark[] {
  const layers: [Mark[], Mark[], Mark[], Mark[], Mark[]] = [[], [], [], [], []];
  for (const [row, { series }] of rows.entries()) {
    const isFaded = !isOn[row];
    const tint = tints?.[row] ?? null;
    const place = isFaded ? (series === null ? 0 : 1) : series !== null ? 4 : tint === NO_VALUE ? 2 : 3;
    layers[place].push({ row, isFaded, series, tint });
  }
  return layers.flat();
}

/** The token of a mark's colour: that of its value, one of the eight series, repeating, or neutral. */
export function toColorToken({ series, isFaded, tint }: Look): string {
  if (tint !== null) return isFaded ? '--line2' : tint;
  if (series !== null) return toSeriesToken(series);
  return isFaded ? '--line2' : '--soft';
}

/** So few lines hardly lie on each other. */
const FEW = 60;

const toThin = (whole: number, count: number, power: number): number => whole * (FEW / Math.max(FEW, count)) ** power;

/**
 * Of many lines each is fainter, so that it is seen where they are dense. `count`: those that are as pale, or as plain,
 * as it.
 */
export function toOpacity({ series, isFaded, tint }: Look, count: number): number {
  if (isFaded) return series === null || tint !== null ? toThin(0.55, count, 0.4) : 0.2;
  if (series !== null) return 1;
  // A colour has to be known again from its legend.
  return tint === null ? toThin(0.7, count, 0.7) : toThin(0.9, count, 0.3);
}

export interface MarkCounts {
  readonly on: number;
  readonly faded: number;
}

export function toMarkCounts(marks: readonly Mark[]): MarkCounts {
  const faded = marks.reduce((sum, { isFaded }) => sum + Number(isFaded), 0);
  return { on: marks.length - faded, faded };
}

/** Selected lines are thicker: with colours by value it is all that tells them. */
export function toLineWidth({ series, isFaded, tint }: Look): number {
  if (series === null || isFaded) return 1.25;
  return tint === null ? 2 : 3;
}

/** A row without a value is grey and broken (a point: hollow), so that grey alone doesn't say it. */
export const isHollow = ({ tint, isFaded }: Look): boolean => tint === NO_VALUE && !isFaded;

/** Which of the rows of its colour a selected one is; 0 where it has the colour of its value, which tells no row. */
const roundOf = ({ series, tint }: Look): number => (series === null || tint !== null ? 0 : toRound(series));

const BROKEN: readonly number[] = [2, 3];

/**
 * Lengths of a line that are drawn and left out; empty: drawn through. Colours by value: broken without one; else
 * dashed past the eight colours.
 */
export const toDashes = (mark: Look): readonly number[] => (isHollow(mark) ? BROKEN : toRoundDashes(roundOf(mark)));

/** Marks that look the same, up to `most` of them: what can be drawn in one stroke. In their order. */
export function toBatches(marks: readonly Mark[], most: number): readonly (readonly Mark[])[] {
  const batches: Mark[][] = [];
  let batch: Mark[] = [];
  for (const mark of marks) {
    const first = batch[0];
    const isAlike =
      first &&
      first.isFaded === mark.isFaded &&
      (first.series === null) === (mark.series === null) &&
      roundOf(first) === roundOf(mark) &&
      toColorToken(first) === toColorToken(mark);
    if (!isAlike || batch.length === most) batches.push((batch = []));
    batch.push(mark);
  }
  return batches;
}

export interface SpotLook {
  /** Token; null: hollow. */
  readonly fill: string | null;
  /** Token; null: none of its own. */
  readonly stroke: string | null;
  /** Of the stroke, pixels. */
  readonly width: number;
}

/**
 * How a point is drawn. Colours by value: hollow without one, and a ring tells the selected. Colours of the selection:
 * both tell rows of one colour, the second eight are hollow, the third have a ring.
 */
export function toSpotLook(mark: Look): SpotLook {
  const token = toColorToken(mark);
  const round = roundOf(mark);
  if (round === 1) return { fill: null, stroke: token, width: 2 };
  const isRinged = round === 2 || (mark.tint !== null && mark.series !== null && !mark.isFaded);
  const fill = isHollow(mark) ? null : token;
  return { fill, stroke: isRinged ? '--ink' : fill === null ? token : null, width: round === 2 ? 1.5 : 1 };
}
