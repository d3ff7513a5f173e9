import { useMemo, useState } from 'react';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { foldAxes, pickAxes, toColumnAxes, type PlotColumn, type PlotRow } from '#ui/plots/scales/axes.ts';
import { NO_BRUSH, type Brush } from '#ui/plots/scales/brush.ts';
import { toFewText } from '#ui/plots/scales/brushText.ts';
import { LineArea } from './LineArea.tsx';
import { toPlotLayout } from './lines.ts';
import { toIsOn } from './rowStyles.ts';
import { PlotColors } from './PlotColors.tsx';
import type { PlotControls } from './plotControls.ts';
import { PlotFigure } from './PlotFigure.tsx';
import { PlotFooter } from './PlotFooter.tsx';
import { SummaryTable } from './SummaryTable.tsx';
import { useColoring } from './useColoring.ts';

interface ParallelCoordinatesProps<Row extends PlotRow> {
  label: string;
  rows: readonly Row[];
  columns: readonly PlotColumn<Row>[];
  controls: PlotControls<Row>;
  /** Says what a selection does; shown while nothing is selected. */
  hint?: string;
}

/** The axes that are drawn, and how many more there are behind the fold. */
function useFoldedAxes<Row extends PlotRow>(
  rows: readonly Row[],
  columns: readonly PlotColumn<Row>[],
  { log, brush }: Pick<PlotControls<Row>, 'log' | 'brush'>,
) {
  // Paper can't unfold, so all axes are drawn there.
  const isPrinting = usePrinting();
  const [isUnfolded, setUnfolded] = useState(false);
  const all = useMemo(() => (rows.length === 0 ? [] : toColumnAxes(rows, columns, log)), [rows, columns, log]);
  // The axes depend on which of them are brushed, not on where.
  const brushed = [...brush.keys()].join('\n');
  const { picked, few } = useMemo(() => {
    const kept = new Set(brushed.split('\n'));
    const whole = pickAxes(all, kept);
    return { picked: whole, few: { ...whole, axes: foldAxes(whole.axes, kept) } };
  }, [all, brushed]);
  return {
    axes: isUnfolded || isPrinting ? picked : few,
    more: picked.axes.length - few.axes.length,
    isUnfolded,
    onUnfold: () => setUnfolded(!isUnfolded),
  };
}

/** Rows as lines over vertical axes. Drag along an axis, or move its ends by keys, to select. */
export function ParallelCoordinates<Row extends PlotRow>({
  label,
  rows,
  columns,
  controls,
  hint,
}: ParallelCoordinatesProps<Row>) {
  const { brush, onBrush, log, onLogToggle, colors } = controls;
  const [ref, { width: room }] = useSize<HTMLDivElement>();
  const isPrinting = usePrinting();
  const [preview, setPreview] = useState<Brush | null>(null);
  const now = preview ?? brush;
  const folded = useFoldedAxes(rows, columns, controls);
  const { axes } = folded.axes;
  const [first] = axes;
  const isPlot = axes.length > 1;
  const layout = useMemo(() => toPlotLayout(axes, room), [axes, room]);
  const color = useColoring(rows, columns, colors, log);
  const isOn = useMemo(() => toIsOn(rows, columns, now), [rows, columns, now]);
  const shown = isOn.filter(Boolean).length;
  return (
    <PlotFigure label={label} isSkippable={isPlot}>
      {isPlot && <PlotColors state={color} by={colors.by} onBy={colors.onBy} onLogToggle={onLogToggle} />}
      <div ref={ref} className="relative overflow-x-auto overflow-y-hidden">
        {isPlot ? (
          <LineArea
            {...{ rows, axes, layout, room, isOn, preview, controls }}
            coloring={color.coloring}
            onPreview={setPreview}
          />
        ) : (
          <p className="px-2 py-1 text-soft">
            {rows.length < 2 ? 'Two rows or more are needed for a plot.' : toFewText(first, now.get(first?.id ?? ''))}
          </p>
        )}
      </div>
      <PlotFooter
        {...folded}
        total={rows.length}
        shown={shown}
        hint={isPlot ? hint : undefined}
        isCut={isPlot && room > 0 && layout.width > room && !isPrinting}
        onClear={now.size === 0 ? null : () => onBrush(NO_BRUSH)}
      />
      <SummaryTable rows={rows} axes={axes} brush={brush} shown={shown} coloring={color.coloring} />
    </PlotFigure>
  );
}
