import { useMemo, useState } from 'react';
import { toAxis, type PlotColumn, type PlotRow } from '#ui/plots/scales/axes.ts';
import { NO_BRUSH, type Brush } from '#ui/plots/scales/brush.ts';
import { toIsOn } from './rowStyles.ts';
import { PlotColors } from './PlotColors.tsx';
import type { PlotControls } from './plotControls.ts';
import { PlotFooter } from './PlotFooter.tsx';
import { ScatterArea } from './ScatterArea.tsx';
import { ScatterHead } from './ScatterHead.tsx';
import { SummaryTable } from './SummaryTable.tsx';
import { useColoring } from './useColoring.ts';

interface ScatterPlotProps<Row extends PlotRow> {
  label: string;
  rows: readonly Row[];
  columns: readonly PlotColumn<Row>[];
  /** Ids of the horizontal and the vertical column; another column replaces an unknown or empty one. */
  chosen: { readonly x: string; readonly y: string };
  onAxes: (next: { readonly x: string; readonly y: string }) => void;
  controls: PlotControls<Row>;
}

/** Rows as points over two columns. Drag a rectangle to select on both axes; arrow keys move from point to point. */
export function ScatterPlot<Row extends PlotRow>({
  label,
  rows,
  columns,
  chosen,
  onAxes,
  controls,
}: ScatterPlotProps<Row>) {
  const { brush, onBrush, log, onLogToggle, colors } = controls;
  const [preview, setPreview] = useState<Brush | null>(null);
  const now = preview ?? brush;
  const all = useMemo(
    () => columns.flatMap((column) => toAxis(rows, column, log.includes(column.id)) ?? []),
    [rows, columns, log],
  );
  const across = all.find((axis) => axis.id === chosen.x) ?? all[0];
  const upright = all.find((axis) => axis.id === chosen.y) ?? all.find((axis) => axis !== across) ?? across;
  const axes = useMemo(() => [...new Set([across, upright])].filter((axis) => axis !== undefined), [across, upright]);
  const color = useColoring(rows, columns, colors, log);
  const isOn = useMemo(() => toIsOn(rows, columns, now), [rows, columns, now]);
  const shown = isOn.filter(Boolean).length;
  if (!across || !upright) return <p className="p-4 text-soft">No row has a value to plot.</p>;
  return (
    <figure aria-label={label} className="relative m-0 min-w-0">
      <ScatterHead axes={all} x={across} y={upright} onAxes={onAxes} onLogToggle={onLogToggle} />
      <PlotColors state={color} by={colors.by} onBy={colors.onBy} onLogToggle={onLogToggle} />
      <ScatterArea
        label={label}
        rows={rows}
        x={across}
        y={upright}
        isOn={isOn}
        coloring={color.coloring}
        preview={preview}
        onPreview={setPreview}
        controls={controls}
      />
      <PlotFooter
        axes={{ axes, same: [] }}
        total={rows.length}
        shown={shown}
        onClear={now.size === 0 ? null : () => onBrush(NO_BRUSH)}
      />
      <SummaryTable rows={rows} axes={axes} brush={brush} shown={shown} coloring={color.coloring} />
    </figure>
  );
}
