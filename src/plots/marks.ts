// How each row is drawn, and in which order: pale ones first, then the others, then the selected, so that these lie on top.
// It must not know whether marks are lines or points.
import type { PlotColumn, PlotRow } from './axes';
import { matchesBrush, type Brush } from './brush';

export interface Mark {
  readonly row: number;
  readonly isFaded: boolean;
  readonly series: number | null;
}

/** Whether each row is inside the brush and not faded by the caller. */
export function toIsOn<Row extends PlotRow>(rows: readonly Row[], columns: readonly PlotColumn<Row>[], brush: Brush): readonly boolean[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return rows.map((row) => row.isFaded !== true && matchesBrush(brush, (id) => byId.get(id)?.read(row)));
}

export function toMarks(rows: readonly PlotRow[], isOn: readonly boolean[]): readonly Mark[] {
  const layers: [Mark[], Mark[], Mark[], Mark[]] = [[], [], [], []];
  for (const [row, { series }] of rows.entries()) {
    const isFaded = !isOn[row];
    const place = isFaded ? (series === null ? 0 : 1) : series === null ? 2 : 3;
    layers[place].push({ row, isFaded, series });
  }
  return layers.flat();
}

/** The token of a mark's colour: one of the eight series, repeating, or neutral. */
export function toColorToken({ series, isFaded }: Pick<Mark, 'series' | 'isFaded'>): string {
  if (series !== null) return `--s${(series % 8) + 1}`;
  return isFaded ? '--line2' : '--soft';
}

/** Many lines are drawn thinner, so that their density can be seen. */
export function toOpacity({ series, isFaded }: Pick<Mark, 'series' | 'isFaded'>, count: number): number {
  if (isFaded) return series === null ? (count > 200 ? 0.25 : 0.55) : 0.2;
  if (series !== null) return 1;
  return count > 2_000 ? 0.2 : count > 200 ? 0.35 : 0.7;
}
