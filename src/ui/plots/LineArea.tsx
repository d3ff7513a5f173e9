import { useMemo, useState, type PointerEvent } from 'react';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import type { PlotAxis, PlotRow } from '#ui/plots/scales/axes.ts';
import { brushAxis, type AxisBrush, type Brush } from '#ui/plots/scales/brush.ts';
import { AxisColumn } from './AxisColumn.tsx';
import type { Coloring } from './coloring.ts';
import { LineLayer } from './LineLayer.tsx';
import { findNearestLine, PLOT_HEIGHT, toLines, type PlotLayout } from './lines.ts';
import type { PlotControls } from './plotControls.ts';
import { toDescribedAxes } from './plotSummary.ts';
import { PlotTip } from './PlotTip.tsx';
import { toMarks } from './rowStyles.ts';
import { useHoveredRow } from './useHoveredRow.ts';

interface LineAreaProps {
  rows: readonly PlotRow[];
  axes: readonly PlotAxis[];
  layout: PlotLayout;
  /** Pixels that the plot may fill on paper, which can't scroll. */
  room: number;
  /** Whether each row is inside the brush. */
  isOn: readonly boolean[];
  coloring: Coloring | null;
  /** The brush while it is dragged. */
  preview: Brush | null;
  onPreview: (brush: Brush | null) => void;
  controls: Pick<PlotControls<never>, 'brush' | 'onBrush' | 'onLogToggle' | 'hoveredKey' | 'onHover' | 'onSelect'>;
}

const REACH = 8;

/** The area of a parallel plot: lines, axes and the selection on each. */
export function LineArea({
  rows,
  axes,
  layout,
  room,
  isOn,
  coloring,
  preview,
  onPreview,
  controls: { brush, onBrush, onLogToggle, hoveredKey, onHover, onSelect },
}: LineAreaProps) {
  const isPrinting = usePrinting();
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const { width, xs, box } = layout;
  const now = preview ?? brush;
  const lines = useMemo(() => toLines(axes, xs, box), [axes, xs, box]);
  const marks = useMemo(() => toMarks(rows, isOn, coloring && coloring.tokens), [rows, isOn, coloring]);
  const hoveredRow = useHoveredRow(rows, hoveredKey);
  const hovered = rows[hoveredRow];

  const choose = (axisId: string, choice: AxisBrush | null): Brush => brushAxis(brush, axisId, choice);
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (preview || event.pointerType === 'touch') return;
    const area = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    const row = y < box.top - REACH ? null : findNearestLine(lines, x, y, REACH, (index) => isOn[index] ?? false);
    const key = row === null ? null : (rows[row]?.key ?? null);
    setPoint(key === null ? null : { x, y });
    if (key !== hoveredKey) onHover(key);
  };
  const leave = () => {
    setPoint(null);
    if (hoveredKey !== null) onHover(null);
  };
  // For the pointer only: keys hover and select rows in the list that belongs to the plot.
  const pointer = { onPointerMove, onPointerLeave: leave, onClick: () => point && hovered && onSelect?.(hovered.key) };
  return (
    <div
      {...pointer}
      className={`relative select-none ${hovered && onSelect && point ? 'cursor-pointer' : ''}`}
      style={{ width, height: PLOT_HEIGHT, ...(isPrinting && { zoom: Math.min(1, room / width) }) }}
    >
      <LineLayer lines={lines} marks={marks} width={width} height={PLOT_HEIGHT} hoveredRow={hoveredRow} />
      {axes.map((axis, index) => {
        const x = xs[index] ?? 0;
        return (
          <AxisColumn
            key={axis.id}
            axis={axis}
            x={x}
            width={layout.headWidth}
            labelWidth={index === 0 ? x - 12 : x - (xs[index - 1] ?? 0) - 24}
            box={box}
            chosen={now.get(axis.id)}
            onPreview={(choice) => onPreview(choice === undefined ? null : choose(axis.id, choice))}
            onChoose={(choice) => onBrush(choose(axis.id, choice))}
            onLogToggle={() => onLogToggle(axis.id)}
            onPress={leave}
          />
        );
      })}
      {hovered && point && (
        <PlotTip
          point={point}
          width={width}
          height={PLOT_HEIGHT}
          title={hovered.label}
          axes={toDescribedAxes(axes, coloring)}
          row={hoveredRow}
        />
      )}
    </div>
  );
}
