// The columns that can colour a plot's rows, and the chosen colouring.
import { useMemo } from 'react';
import { toAxis, type PlotColumn, type PlotRow } from '#ui/plots/scales/axes.ts';
import { isMissing } from '#ui/plots/scales/brush.ts';
import { toColoring, toColorOptions, type Coloring, type ColorOption } from './coloring.ts';

export interface ColorChoice<Row> {
  /** A column's id; null: the colours of the selection. */
  readonly by: string | null;
  readonly onBy: (id: string | null) => void;
  /** Name of the selection's colours among the choices. */
  readonly plain: string;
  /** Columns that give colours but are no axes. */
  readonly more?: readonly PlotColumn<Row>[];
}

export interface ColorState {
  readonly options: readonly ColorOption[];
  /** null: not coloured by a value, or no row has one. */
  readonly coloring: Coloring | null;
}

const NONE: readonly never[] = [];

export function useColoring<Row extends PlotRow>(
  rows: readonly Row[],
  columns: readonly PlotColumn<Row>[],
  { by, plain, more = NONE }: ColorChoice<Row>,
  log: readonly string[],
): ColorState {
  const all = useMemo(
    () => [...columns, ...more.filter(({ id }) => columns.every((column) => column.id !== id))],
    [columns, more],
  );
  const options = useMemo(() => {
    const given = all.filter(({ read }) => rows.some((row) => !isMissing(read(row))));
    return toColorOptions(plain, given, all, by);
  }, [all, rows, plain, by]);
  const column = all.find(({ id }) => id === by);
  const isFlipped = by !== null && log.includes(by);
  const coloring = useMemo(() => {
    const axis = column && toAxis(rows, column, isFlipped);
    return axis ? toColoring(axis) : null;
  }, [rows, column, isFlipped]);
  return { options, coloring };
}
