// How each row is drawn, and in which order: faded rows, rows without a value, other rows, and selected rows on top.
import type { PlotColumn, PlotRow } from '#ui/plots/scales/axes.ts';
import { matchesBrush, type Brush } from '#ui/plots/scales/brush.ts';
import { NO_VALUE } from './coloring.ts';
import { toRound, toRoundDashes, toSeriesToken } from './curveLook.ts';

export interface Mark {
  readonly row: number;
  readonly isFaded: boolean;
  readonly series: number | null;
  /** Token of the row's value if rows are coloured by value; else null. */
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

/** `tints`: a token for each row; null if the selection gives the colours. */
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

/** The token of a mark's colour: of its value, of its series (eight, repeating), or neutral. */
export function toColorToken({ series, isFaded, tint }: Look): string {
  if (tint !== null) return isFaded ? '--line-strong' : tint;
  if (series !== null) return toSeriesToken(series);
  return isFaded ? '--line-strong' : '--soft';
}

/** This few lines hardly overlap. */
const FEW = 60;

const toThin = (whole: number, count: number, power: number): number => whole * (FEW / Math.max(FEW, count)) ** power;

/**
 * The more lines, the fainter each one, so that dense places show. `count`: lines on the same side of the brush.
 */
export function toOpacity({ series, isFaded, tint }: Look, count: number): number {
  if (isFaded) return series === null || tint !== null ? toThin(0.55, count, 0.4) : 0.2;
  if (series !== null) return 1;
  // A colour must stay recognisable from the legend.
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

/** Selected lines are thicker: with colours by value, nothing else tells them apart. */
export function toLineWidth({ series, isFaded, tint }: Look): number {
  if (series === null || isFaded) return 1.25;
  return tint === null ? 2 : 3;
}

/** A row without a value is grey and also dashed (a point: hollow), so colour is never alone. */
export const isHollow = ({ tint, isFaded }: Look): boolean => tint === NO_VALUE && !isFaded;

/** The round of colours of a selected row; 0 if its value gives the colour. */
const roundOf = ({ series, tint }: Look): number => (series === null || tint !== null ? 0 : toRound(series));

const BROKEN: readonly number[] = [2, 3];

/**
 * Lengths of a line that are drawn and left out; empty: solid. Lines without a value are dashed, and so are selected
 * ones after the eighth.
 */
export const toDashes = (mark: Look): readonly number[] => (isHollow(mark) ? BROKEN : toRoundDashes(roundOf(mark)));

/** Consecutive marks that look the same, at most `most`: one stroke can draw them. */
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
 * How a point is drawn. With colours by value, a hollow point has no value and a ring marks a selected one. With
 * colours of the selection, the second eight are hollow and the third have a ring.
 */
export function toSpotLook(mark: Look): SpotLook {
  const token = toColorToken(mark);
  const round = roundOf(mark);
  if (round === 1) return { fill: null, stroke: token, width: 2 };
  const isRinged = round === 2 || (mark.tint !== null && mark.series !== null && !mark.isFaded);
  const fill = isHollow(mark) ? null : token;
  return { fill, stroke: isRinged ? '--ink' : fill === null ? token : null, width: round === 2 ? 1.5 : 1 };
}
