import { formatMeasure } from '#core/contract/numberNotation.ts';
import { useId, useMemo, type RefObject } from 'react';
import { SlicedCanvas } from '#ui/plots/SlicedCanvas.tsx';
import { toSeriesToken } from '#ui/plots/curveLook.ts';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import { useSize, type Size } from '#ui/kit/useSize.ts';
import { CurveOverlay } from './CurveOverlay.tsx';
import type { XAxis } from '#features/runs/web/curves/curveMath/curveView.ts';
import {
  EDGE,
  paintCurves,
  toColumn,
  toDashesOf,
  toWidth,
  type DrawnLine,
} from '#features/runs/web/curves/curveMath/paintCurves.ts';
import { readLines } from '#features/runs/web/curves/curveMath/valuesAtX.ts';
import { toCorners, toPathText, toPixel, toY, type Frame } from '#features/runs/web/curves/curveMath/linePixels.ts';
import { toXText, toXTicks } from '#features/runs/web/curves/curveMath/xText.ts';
import { toMarkPath, toShownMarks } from './brokenMarks.ts';
import type { PlotData } from './plotData.ts';
import { usePointed, type SharedPointer } from './pointer.ts';
import { toPercent, useAreaActions, type AreaActions } from './useAreaActions.ts';
import type { XRange } from '#features/runs/web/curves/curveMath/xRange.ts';

interface CurveAreaProps {
  plot: string;
  data: PlotData;
  axis: XAxis;
  isLog: boolean;
  x: XRange;
  whole: XRange;
  names: ReadonlyMap<string, string>;
  /** A run that is drawn in front; null: none. */
  front: string | null;
  pointer: SharedPointer;
  onZoom: (range: XRange | null) => void;
  height: number;
}

/** Left of the curves: `1.234e-5` in the monospaced font of 11 px. */
const LEFT = 58;
const BOTTOM = 20;
const TOP = 12;
/** CSS pixels of the line of the run in front. */
const FRONT_WIDTH = 2.75;
const SPOKEN = 5;

interface SpokenProps {
  plot: string;
  data: PlotData;
  frame: Frame;
  axis: XAxis;
  names: ReadonlyMap<string, string>;
  pointer: SharedPointer;
  areaRef: RefObject<HTMLDivElement | null>;
  handlers: AreaActions['handlers'];
}

/** The area takes keys and pointer. As a slider it says the place and its values. */
function PointedArea({ plot, data, frame, axis, names, pointer, areaRef, handlers }: SpokenProps) {
  const place = usePointed(pointer);
  const isIn = place !== null && place.x >= frame.x.from && place.x <= frame.x.to;
  const readings =
    isIn && place.plot === plot
      ? readLines(
          data.lines.map(({ line }) => line),
          place.x,
          frame.x,
        )
      : [];
  const spoken = readings
    .slice(0, SPOKEN)
    .map(({ runId, value }) => `${names.get(runId) ?? runId} ${formatMeasure(value)}`);
  const more = readings.length > SPOKEN ? `, and ${readings.length - SPOKEN} more` : '';
  const hintId = useId();
  const slider = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': `Position in ${plot}`,
    'aria-describedby': hintId,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': isIn ? toPercent(frame, place.x) : 0,
    'aria-valuetext': isIn ? `${toXText(axis, place.x)}: ${spoken.join(', ')}${more}` : 'no position chosen',
    ...handlers,
  };
  return (
    <>
      <div
        {...slider}
        ref={areaRef}
        className="absolute cursor-crosshair touch-pan-y select-none"
        style={{ left: frame.left, top: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top }}
      />
      <span id={hintId} hidden>
        Arrow keys move the cursor, plus and minus zoom, Shift with arrow keys pans, 0 shows all.
      </span>
    </>
  );
}

interface AxesProps {
  data: PlotData;
  frame: Frame;
  axis: XAxis;
  size: Size;
}

/** The lines of the y axis with their values, and the ticks of the x axis. */
function Axes({ data, frame, axis, size }: AxesProps) {
  return (
    <svg aria-hidden className="absolute inset-0 size-full fill-none">
      {data.y?.ticks.map(({ value, label }) => (
        <g key={label} transform={`translate(0 ${toY(frame, value)})`}>
          <path d={`M${frame.left} 0H${frame.right}`} className="stroke-line" />
          <text x={frame.left - 6} y={4} textAnchor="end" className="fill-faint font-mono text-2xs">
            {label}
          </text>
        </g>
      ))}
      {toXTicks(axis, frame.x).map(({ value, label }) => (
        <text
          key={label}
          x={Math.min(size.width - 4 * label.length, toPixel(frame, value))}
          y={size.height - 6}
          textAnchor="middle"
          className="fill-faint font-mono text-2xs"
        >
          {label}
        </text>
      ))}
    </svg>
  );
}

interface PathsProps {
  lines: readonly DrawnLine[];
  frame: Frame;
  /** CSS pixels. */
  width: number;
  /** Pixels that are one column of a line. */
  column: number;
}

/** Lines as paths, cut at the edges of the frame. */
function Paths({ lines, frame, width, column }: PathsProps) {
  const [x, y] = [frame.left - EDGE, frame.top - EDGE];
  const size = { width: frame.right - frame.left + 2 * EDGE, height: frame.bottom - frame.top + 2 * EDGE };
  return (
    <svg x={x} y={y} {...size} viewBox={`${x} ${y} ${size.width} ${size.height}`}>
      {lines.map((entry) => (
        <path
          key={`${entry.line.runId} ${entry.line.name}`}
          d={toPathText(toCorners(entry.line, frame, column))}
          style={{ stroke: `var(${toSeriesToken(entry.series)})` }}
          strokeWidth={width}
          strokeDasharray={toDashesOf(entry).join(' ')}
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}

/** All lines on paper, which a canvas would be too coarse for; else those of the run in front of the others. */
function toPaths(lines: readonly DrawnLine[], frame: Frame, front: string | null, isPrinting: boolean): PathsProps {
  if (!isPrinting)
    return { lines: lines.filter(({ line }) => line.runId === front), frame, width: FRONT_WIDTH, column: 1 };
  const column = toColumn(lines.length, frame.right - frame.left);
  return { lines, frame, width: toWidth(lines.length), column };
}

/** The picture of one plot: axes, curves, marks of broken values, and what is pointed at. */
export function CurveArea(props: CurveAreaProps) {
  const { plot, data, axis, isLog, x, whole, names, front, pointer, onZoom, height } = props;
  const [ref, { width }] = useSize<HTMLDivElement>();
  const isPrinting = usePrinting();
  const { from: low = 0, to: high = 1 } = data.y ?? {};
  const frame = useMemo(
    (): Frame => ({
      x,
      low,
      high,
      isLog: isLog && low > 0,
      left: LEFT,
      right: Math.max(LEFT + 40, width - 10),
      top: TOP,
      bottom: height - BOTTOM,
    }),
    [x, low, high, isLog, width, height],
  );
  const { lines } = data;
  const paint = useMemo(
    () => (context: CanvasRenderingContext2D, toColor: (token: string) => string) =>
      paintCurves(context, toColor, lines, frame),
    [lines, frame],
  );
  const [areaRef, area] = useAreaActions({ plot, frame, whole, pointer, onZoom });
  const pointed = { plot, data, frame, axis, names, pointer };
  return (
    <div ref={ref} className="relative overflow-hidden" style={{ height }}>
      <Axes {...{ data, frame, axis }} size={{ width, height }} />
      {!isPrinting && <SlicedCanvas width={width} height={height} paint={paint} />}
      <svg aria-hidden className="pointer-events-none absolute inset-0 size-full fill-none">
        <Paths {...toPaths(lines, frame, front, isPrinting)} />
        {toShownMarks(data.broken, frame).map(({ runId, series, kind, at }) => (
          <path
            key={`${runId} ${at} ${kind}`}
            d={toMarkPath(kind, at)}
            style={{ stroke: `var(${toSeriesToken(series)})` }}
            strokeWidth={1.5}
          />
        ))}
        {area.marked && (
          <rect
            x={area.marked[0]}
            y={frame.top}
            width={area.marked[1] - area.marked[0]}
            height={frame.bottom - frame.top}
            className="fill-accent/15 stroke-accent"
          />
        )}
      </svg>
      {data.y === null && (
        <p className="absolute inset-0 flex items-center justify-center text-soft">
          {lines.length === 0 ? 'No shown run has this metric.' : 'No value in view can be drawn here.'}
        </p>
      )}
      <PointedArea {...pointed} areaRef={areaRef} handlers={area.handlers} />
      {!isPrinting && <CurveOverlay {...pointed} width={width} />}
    </div>
  );
}
