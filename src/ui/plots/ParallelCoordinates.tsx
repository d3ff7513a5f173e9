import { useMemo, useState, type PointerEvent } from 'react';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { foldAxes, pickAxes, toColumnAxes, type PlotColumn, type PlotRow } from '#ui/plots/scales/axes.ts';
import { AxisColumn } from './AxisColumn.tsx';
import { NO_BRUSH, brushAxis, type AxisBrush, type Brush } from '#ui/plots/scales/brush.ts';
import { toFewText } from '#ui/plots/scales/brushText.ts';
import { LEAST_HEAD_LINES, toHeadLines } from '#ui/plots/scales/headLines.ts';
import { LineLayer } from './LineLayer.tsx';
import { findNearestLine, toAxisPlaces, toLeftRoom, toLines } from './lines.ts';
import { toIsOn, toMarks } from './rowStyles.ts';
import { PlotColors } from './PlotColors.tsx';
import type { PlotControls } from './plotControls.ts';
import { PlotFigure } from './PlotFigure.tsx';
import { PlotFooter } from './PlotFooter.tsx';
import { PlotTip } from './PlotTip.tsx';
import { toDescribedAxes } from './plotSummary.ts';
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

/** Pixels. */
const HEIGHT = 230;
const LEAST_AXIS_WIDTH = 70;
const SIDE = 62;
/** The last axis' name is centred over it, and must not reach beyond the plot. */
const MOST_HEAD_WIDTH = 2 * SIDE;
const REACH = 8;
/** Height of a line of an axis' name. */
const LINE = 14;

/** Rows as lines over vertical axes. Drag along an axis, or move its ends by keys, to select. */
export function ParallelCoordinates<Row extends PlotRow>({
  label,
  rows,
  columns,
  controls,
  hint,
}: ParallelCoordinatesProps<Row>) {
  const { brush, onBrush, log, onLogToggle, colors, hoveredKey, onHover, onSelect } = controls;
  const [ref, size] = useSize<HTMLDivElement>();
  // Paper can't scroll or unfold, so all axes are drawn there, smaller.
  const isPrinting = usePrinting();
  const [preview, setPreview] = useState<Brush | null>(null);
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const now = preview ?? brush;
  const brushed = [...brush.keys()].join('\n');
  // The axes depend on which of them are brushed, not on where.
  const all = useMemo(() => (rows.length === 0 ? [] : toColumnAxes(rows, columns, log)), [rows, columns, log]);
  const [isUnfolded, setUnfolded] = useState(false);
  const picked = useMemo(() => pickAxes(all, new Set(brushed.split('\n'))), [all, brushed]);
  const few = useMemo(() => foldAxes(picked.axes, new Set(brushed.split('\n'))), [picked, brushed]);
  const axes = useMemo(
    () => (isUnfolded || isPrinting ? picked : { ...picked, axes: few }),
    [isUnfolded, isPrinting, picked, few],
  );
  const count = axes.axes.length;
  const left = toLeftRoom(axes.axes[0], SIDE);
  const width = Math.max(size.width, left + SIDE + (count - 1) * LEAST_AXIS_WIDTH);
  const headWidth = Math.min(MOST_HEAD_WIDTH, count > 1 ? (width - left - SIDE) / (count - 1) - 8 : MOST_HEAD_WIDTH);
  // The third line of a long name takes its room from the axes: the height of the plot stays, so nothing below moves.
  const extra =
    LINE *
    (toHeadLines(
      axes.axes.map((axis) => axis.label),
      headWidth,
    ) -
      LEAST_HEAD_LINES);
  const box = useMemo(() => {
    const hasMissing = axes.axes.some((axis) => axis.hasMissing);
    return { top: 64 + extra, bottom: HEIGHT - (hasMissing ? 36 : 12), missing: HEIGHT - 12 };
  }, [axes, extra]);
  const lines = useMemo(
    () => toLines(axes.axes, toAxisPlaces(axes.axes.length, left, width - SIDE), box),
    [axes, left, width, box],
  );
  const color = useColoring(rows, columns, colors, log);
  const isOn = useMemo(() => toIsOn(rows, columns, now), [rows, columns, now]);
  const marks = useMemo(
    () => toMarks(rows, isOn, color.coloring && color.coloring.tokens),
    [rows, isOn, color.coloring],
  );
  const shown = isOn.filter(Boolean).length;
  // Paper has nothing to point with.
  const hoveredRow = useMemo(
    () => (hoveredKey === null || isPrinting ? -1 : rows.findIndex((row) => row.key === hoveredKey)),
    [rows, hoveredKey, isPrinting],
  );
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
    <PlotFigure label={label} isSkippable={count > 1}>
      {count > 1 && <PlotColors state={color} by={colors.by} onBy={colors.onBy} onLogToggle={onLogToggle} />}
      <div ref={ref} className="relative overflow-x-auto overflow-y-hidden">
        <div
          {...pointer}
          className={`relative select-none ${hovered && onSelect && point ? 'cursor-pointer' : ''}`}
          style={
            count < 2
              ? undefined
              : { width, height: HEIGHT, ...(isPrinting && { zoom: Math.min(1, size.width / width) }) }
          }
        >
          {count > 1 && <LineLayer lines={lines} marks={marks} width={width} height={HEIGHT} hoveredRow={hoveredRow} />}
          {count > 1 &&
            axes.axes.map((axis, index) => (
              <AxisColumn
                key={axis.id}
                axis={axis}
                x={lines.xs[index] ?? 0}
                width={headWidth}
                labelWidth={index === 0 ? left - 12 : (lines.xs[index] ?? 0) - (lines.xs[index - 1] ?? 0) - 24}
                box={box}
                chosen={now.get(axis.id)}
                onPreview={(choice) => setPreview(choice === undefined ? null : choose(axis.id, choice))}
                onChoose={(choice) => onBrush(choose(axis.id, choice))}
                onLogToggle={() => onLogToggle(axis.id)}
                onPress={leave}
              />
            ))}
          {hovered && point && count > 1 && (
            <PlotTip
              point={point}
              width={width}
              height={HEIGHT}
              title={hovered.label}
              axes={toDescribedAxes(axes.axes, color.coloring)}
              row={hoveredRow}
            />
          )}
          {count < 2 && (
            <p className="px-2 py-1 text-soft">
              {rows.length < 2
                ? 'Two rows or more are needed for a plot.'
                : toFewText(axes.axes[0], now.get(axes.axes[0]?.id ?? ''))}
            </p>
          )}
        </div>
      </div>
      <PlotFooter
        axes={axes}
        total={rows.length}
        shown={shown}
        hint={count > 1 ? hint : undefined}
        isCut={count > 1 && size.width > 0 && width > size.width && !isPrinting}
        more={picked.axes.length - few.length}
        isUnfolded={isUnfolded}
        onUnfold={() => setUnfolded(!isUnfolded)}
        onClear={now.size === 0 ? null : () => onBrush(NO_BRUSH)}
      />
      <SummaryTable rows={rows} axes={axes.axes} brush={brush} shown={shown} coloring={color.coloring} />
    </PlotFigure>
  );
}
