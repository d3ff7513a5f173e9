import { useMemo } from 'react';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { ParallelCoordinates } from '#ui/plots/ParallelCoordinates.tsx';
import type { PlotControls } from '#ui/plots/plotControls.ts';
import type { PlotColumn, PlotRow } from '#ui/plots/scales/axes.ts';
import { parseBrush, toBrushList } from '#ui/plots/scales/brush.ts';
import { ScatterPlot } from '#ui/plots/ScatterPlot.tsx';
import { chooseAxes, chooseColor, switchScale } from './changePlot.ts';
import type { PlotChoice } from './plotChoice.ts';

interface RowsPlotProps<Row extends PlotRow> extends Pick<PlotControls<Row>, 'hoveredKey' | 'onHover' | 'onSelect'> {
  choice: Extract<PlotChoice, { kind: 'parallel' | 'scatter' }>;
  label: string;
  rows: readonly Row[];
  columns: readonly PlotColumn<Row>[];
  /** What the colours stand for while no column gives them, and columns that give colours but have no axis. */
  colors: Omit<PlotControls<Row>['colors'], 'by' | 'onBy'>;
  /** Says what a selection does. */
  hint?: string;
}

const DEFAULT_X = 'learning_rate_multiplier';
const DEFAULT_Y = 'last_loss';

/** Rows as lines or points. Their brush, scales, axes and colours are in the address. */
export function RowsPlot<Row extends PlotRow>(props: RowsPlotProps<Row>) {
  const { choice, label, rows, columns, colors, hint, ...pointing } = props;
  const url = useUrlState();
  const brush = useMemo(() => parseBrush(url.brush), [url.brush]);
  const controls: PlotControls<Row> = {
    ...pointing,
    brush,
    onBrush: (next) => updateUrl({ brush: toBrushList(next) }, { replace: true }),
    log: url.log,
    onLogToggle: switchScale,
    colors: { ...colors, by: url.color, onBy: chooseColor },
  };
  const shared = { label, rows, columns, controls };
  if (choice.kind === 'parallel') return <ParallelCoordinates {...shared} {...(hint !== undefined && { hint })} />;
  return (
    <ScatterPlot {...shared} chosen={{ x: choice.x ?? DEFAULT_X, y: choice.y ?? DEFAULT_Y }} onAxes={chooseAxes} />
  );
}
