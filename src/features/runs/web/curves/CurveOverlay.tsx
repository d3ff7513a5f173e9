import { formatMeasure } from '#core/contract/numberNotation.ts';
import { CutText } from '#ui/kit/CutText.tsx';
import { toSeriesToken } from '#ui/plots/curveLook.ts';
import { toXText } from '#features/runs/web/curves/curveMath/xText.ts';
import type { XAxis } from '#features/runs/web/curves/curveMath/curveView.ts';
import { toDashedWord } from '#features/runs/web/curves/curveMath/metrics.ts';
import { readLines } from '#features/runs/web/curves/curveMath/valuesAtX.ts';
import { toPixel, toY, type Frame } from '#features/runs/web/curves/curveMath/linePixels.ts';
import type { PlotData } from './plotData.ts';
import { usePointed, type SharedPointer } from './pointer.ts';

interface CurveOverlayProps {
  plot: string;
  data: PlotData;
  frame: Frame;
  axis: XAxis;
  names: ReadonlyMap<string, string>;
  pointer: SharedPointer;
  width: number;
}

/** Rows of the plot that is pointed at, and of the others. */
const MOST_HERE = 10;
const MOST_ELSEWHERE = 3;

/** The hair line, which all plots share, and the values of the runs there: those nearest to the pointer first. */
export function CurveOverlay({ plot, data, frame, axis, names, pointer, width }: CurveOverlayProps) {
  const place = usePointed(pointer);
  if (!place || place.x < frame.x.from || place.x > frame.x.to) return null;
  const isHere = place.plot === plot;
  const near = isHere && place.y !== null ? { at: place.y, toHeight: (value: number) => toY(frame, value) } : null;
  const bySeries = new Map(data.lines.map(({ line, series }) => [line.runId, series]));
  const held = new Set(data.lines.flatMap(({ line, isHeldOut }) => (isHeldOut ? [line.name] : [])));
  const readings = readLines(
    data.lines.map(({ line }) => line),
    place.x,
    frame.x,
    near,
  );
  const shown = readings.slice(0, isHere ? MOST_HERE : MOST_ELSEWHERE);
  const x = toPixel(frame, place.x);
  return (
    <>
      <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
        <path d={`M${x} ${frame.top}V${frame.bottom}`} className="stroke-faint" strokeDasharray="2 2" />
        {shown.map(({ runId, name, value, x: at }) => {
          const y = toY(frame, value);
          return (
            !Number.isNaN(y) && (
              <circle
                key={`${runId} ${name}`}
                cx={toPixel(frame, at)}
                cy={Math.min(frame.bottom, Math.max(frame.top, y))}
                r={3}
                className="stroke-surface"
                style={{ fill: `var(${toSeriesToken(bySeries.get(runId) ?? 0)})` }}
              />
            )
          );
        })}
      </svg>
      {shown.length > 0 && (
        <div
          aria-hidden
          className={
            'pointer-events-none absolute top-1 z-10 max-w-[min(18rem,60%)] rounded-md border border-line-strong ' +
            'bg-surface px-2 py-1 text-xs shadow-pop'
          }
          style={x > width / 2 ? { right: width - x + 10 } : { left: x + 10 }}
        >
          {isHere && <p className="font-medium">{toXText(axis, place.x)}</p>}
          {shown.map(({ runId, name, value }) => (
            <p key={`${runId} ${name}`} className="flex items-center gap-1.5">
              <span
                className="keeps-color size-2 shrink-0 rounded-full"
                style={{ background: `var(${toSeriesToken(bySeries.get(runId) ?? 0)})` }}
              />
              <span className="min-w-0 flex-1 truncate text-soft">
                <CutText text={names.get(runId) ?? runId} />
              </span>
              {held.has(name) && <span className="text-faint">{toDashedWord(name)}</span>}
              <span className="font-mono text-2xs">{formatMeasure(value)}</span>
            </p>
          ))}
          {readings.length > shown.length && <p className="text-soft">and {readings.length - shown.length} more</p>}
        </div>
      )}
    </>
  );
}
