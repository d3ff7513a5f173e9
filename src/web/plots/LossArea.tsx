import { useId, useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { usePrinting } from '#web/ui/usePrinting.ts';
import { useSize } from '#web/ui/useSize.ts';
import { toFraction } from '#web/plots/scales/scale.ts';
import { toCurveLook } from './curveLook.ts';
import { toEndLabels, type LossRange, type LossSeries } from './lossPoints.ts';
import { readAt, toLossLayout, toLossName, toLossText, toStepText, type LossView } from './lossLayout.ts';
import { reduceWalk } from './spotWalk.ts';

interface LossTipProps {
  /** Place of the hair line; `width`: of the plot, so that the tip stays inside. */
  x: number;
  width: number;
  title: string;
  readings: readonly { readonly key: string; readonly label: string; readonly color: string; readonly text: string }[];
}

const MOST = 12;

/** The losses at the hair line. */
function LossTip({ x, width, title, readings }: LossTipProps) {
  return (
    <div
      aria-hidden
      className={
        'pointer-events-none absolute top-2 z-10 max-w-72 rounded-md border border-line2 bg-surface px-2 py-1 ' +
        'text-xs shadow-pop'
      }
      style={x > width / 2 ? { right: width - x + 10 } : { left: x + 10 }}
    >
      <p className="font-medium">{title}</p>
      {readings.slice(0, MOST).map(({ key, label, color, text }) => (
        <p key={key} className="flex items-center gap-1.5">
          <span className="keeps-color size-2 shrink-0 rounded-full" style={{ background: color }} />
          <span className="min-w-0 flex-1 truncate text-soft">{label}</span>
          <span className="font-mono text-2xs">{text}</span>
        </p>
      ))}
      {readings.length > MOST && <p className="text-soft">and {readings.length - MOST} more</p>}
    </div>
  );
}

interface LossAreaProps {
  label: string;
  series: readonly LossSeries[];
  range: LossRange;
  view: LossView;
  hoveredKey: string | null;
  height: number;
}

const PLACES = 101;
const MOST_END_LABELS = 12;
/** Right of the curves, for the labels at their ends: `9.876e-5` or `diverged` in the monospaced font of 11 px. */
const END_ROOM = 76;
const CHARACTER = 6.7;

/** The curves with their scales, and a hair line that reads all of them at one step. */
export function LossArea({ label, series, range, view, hoveredKey, height }: LossAreaProps) {
  const [ref, size] = useSize<HTMLDivElement>();
  const clipId = useId();
  const [place, setAt] = useState<number | null>(null);
  // Paper has nothing to point with.
  const isPrinting = usePrinting();
  /** Place of the hair line, as a fraction. */
  const at = isPrinting ? null : place;
  const box = useMemo(
    () => ({ left: 56, right: Math.max(96, size.width - END_ROOM), top: 8, bottom: height - 24 }),
    [size.width, height],
  );
  const layout = useMemo(() => toLossLayout(series, range, view, box), [series, range, view, box]);
  const looks = new Map(series.map((entry) => [entry.key, toCurveLook(entry.series)]));
  const names = new Map(series.map((entry) => [entry.key, entry.label]));
  const front = hoveredKey !== null && !isPrinting && names.has(hoveredKey) ? hoveredKey : null;
  const lasts = layout.curves.flatMap(({ key, end }) =>
    end && (series.length <= MOST_END_LABELS || key === front) ? [{ key, ...end }] : [],
  );
  const longest = Math.max(0, ...lasts.map(({ text }) => text.length));
  const ends = toEndLabels(lasts, { width: longest * CHARACTER + 6, gap: 13, top: box.top, bottom: box.bottom });
  const reading = at === null ? null : readAt(layout, at);
  const words = reading?.readings.map(({ key, loss }) => `${names.get(key) ?? key} ${toLossText(loss)}`).join(', ');
  const [width, tall] = [box.right - box.left, box.bottom - box.top];

  const onKeyDown = (event: KeyboardEvent) => {
    const next =
      event.key === 'Escape' && at !== null
        ? -1
        : reduceWalk(at === null ? null : Math.round(at * (PLACES - 1)), PLACES, event.key);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    setAt(next < 0 ? null : next / (PLACES - 1));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const area = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(1, Math.max(0, (event.clientX - area.left) / area.width)));
  };
  const hair = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': `Step of ${label}`,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round((at ?? 0) * 100),
    'aria-valuetext': reading
      ? `${toStepText(reading.step, view.isShare)}, ${view.isSmooth ? 'smoothed ' : ''}training loss: ${words ?? ''}`
      : 'no step chosen',
    onKeyDown,
    onBlur: () => setAt(null),
    onPointerMove,
    onPointerLeave: () => setAt(null),
  };
  return (
    <div ref={ref}>
      <div className="relative overflow-hidden" style={{ height }}>
        <svg aria-hidden width={size.width} height={height} className="absolute inset-0 fill-none">
          {layout.y.ticks.map(({ value, label: text }) => (
            <g key={text} transform={`translate(0 ${box.bottom - toFraction(layout.y, value) * tall})`}>
              <path d={`M${box.left} 0H${box.right}`} className="stroke-line" />
              <text x={box.left - 6} y={4} textAnchor="end" className="fill-faint font-mono text-2xs">
                {text}
              </text>
            </g>
          ))}
          {layout.x.ticks.map(({ value, label: text }) => (
            <text
              key={text}
              x={box.left + toFraction(layout.x, value) * width}
              y={height - 8}
              textAnchor="middle"
              className="fill-faint font-mono text-2xs"
            >
              {text}
            </text>
          ))}
          <clipPath id={clipId}>
            <rect x={box.left} y={box.top - 2} width={width + END_ROOM} height={tall + 4} />
          </clipPath>
          {layout.curves.map(({ key, path, broken }) => (
            <g key={key} opacity={front === null || front === key ? 1 : 0.25}>
              <path
                d={path}
                clipPath={`url(#${clipId})`}
                style={looks.get(key)}
                strokeWidth={front === key ? 2.75 : 1.75}
                strokeLinecap="round"
                strokeLinejoin="round"
              />
              {broken.map((x) => (
                <path
                  key={x}
                  d={`M${x - 3} ${box.top}l6 6m0 -6l-6 6`}
                  style={{ stroke: looks.get(key)?.stroke }}
                  strokeWidth={1.5}
                />
              ))}
            </g>
          ))}
          {ends.map(({ key, x, y, text }) => (
            <text
              key={key}
              x={x + 6}
              y={y + 4}
              style={{ fill: looks.get(key)?.stroke, paintOrder: 'stroke' }}
              className="stroke-surface stroke-[4px] font-mono text-2xs [stroke-linejoin:round]"
            >
              {text}
            </text>
          ))}
          {at !== null && (
            <path
              d={`M${box.left + at * width} ${box.top}V${box.bottom}`}
              className="stroke-faint"
              strokeDasharray="2 2"
            />
          )}
        </svg>
        <div
          {...hair}
          className="absolute cursor-crosshair"
          style={{ left: box.left, top: box.top, width, height: tall }}
        />
        {reading && reading.readings.length > 0 && (
          <LossTip
            x={box.left + (at ?? 0) * width}
            width={size.width}
            title={`${toLossName(view.isSmooth)}: ${toStepText(reading.step, view.isShare)}`}
            readings={reading.readings.map(({ key, loss }) => ({
              key,
              label: names.get(key) ?? key,
              color: looks.get(key)?.stroke ?? '',
              text: toLossText(loss),
            }))}
          />
        )}
      </div>
    </div>
  );
}
