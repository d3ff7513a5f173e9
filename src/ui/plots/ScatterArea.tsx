import { useMemo, type PointerEvent } from 'react';
import { useSize } from '#ui/kit/useSize.ts';
import type { PlotAxis, PlotRow } from '#ui/plots/scales/axes.ts';
import { brushAxis, type Brush } from '#ui/plots/scales/brush.ts';
import type { Coloring } from './coloring.ts';
import { toMarks } from './rowStyles.ts';
import { toDescribedAxes } from './plotSummary.ts';
import type { PlotControls } from './plotControls.ts';
import { PlotTip } from './PlotTip.tsx';
import { startRect, toRect, toRectBrush, type Rect, type RectDrag } from './rectDrag.ts';
import { toExtent } from './brushDrag.ts';
import { ScatterAxes } from './ScatterAxes.tsx';
import { findNearestSpot, toArea, toSpots, type Spot } from './scatterLayout.ts';
import { SpotLayer } from './SpotLayer.tsx';
import { SpotSlider } from './SpotSlider.tsx';
import { toSpotText } from './spotWalk.ts';
import { useHoveredRow } from './useHoveredRow.ts';
import { usePlotDrag } from './usePlotDrag.ts';

interface ScatterAreaProps {
  label: string;
  rows: readonly PlotRow[];
  x: PlotAxis;
  y: PlotAxis;
  /** Whether each row is inside the brush. */
  isOn: readonly boolean[];
  coloring: Coloring | null;
  /** The brush while it is dragged. */
  preview: Brush | null;
  onPreview: (brush: Brush | null) => void;
  controls: Pick<PlotControls<never>, 'brush' | 'onBrush' | 'hoveredKey' | 'onHover' | 'onSelect'>;
}

const REACH = 10;
/** Pixels. */
const HEIGHT = 300;

function SelectedRect({ rect: { x, y } }: { rect: Rect }) {
  return (
    <span
      className="pointer-events-none absolute rounded-sm border border-accent bg-accent/10"
      style={{
        left: `${x.from * 100}%`,
        right: `${(1 - x.to) * 100}%`,
        bottom: `${y.from * 100}%`,
        top: `${(1 - y.to) * 100}%`,
      }}
    />
  );
}

/** The area of a scatter plot: points, axes, the selected rectangle. */
export function ScatterArea({
  label,
  rows,
  x,
  y,
  isOn,
  coloring,
  preview,
  onPreview,
  controls: { brush, onBrush, hoveredKey, onHover, onSelect },
}: ScatterAreaProps) {
  const [ref, size] = useSize<HTMLDivElement>();
  const now = preview ?? brush;
  const area = useMemo(() => toArea(x, y, size.width, HEIGHT), [x, y, size.width]);
  const spots = useMemo(() => toSpots(x, y, area), [x, y, area]);
  const marks = useMemo(() => toMarks(rows, isOn, coloring && coloring.tokens), [rows, isOn, coloring]);
  const hoveredRow = useHoveredRow(rows, hoveredKey);
  const hovered = useMemo(
    () => (hoveredRow < 0 ? null : (spots.find((spot) => spot.rows.includes(hoveredRow)) ?? null)),
    [spots, hoveredRow],
  );
  const rect = toRect(now, x, y);
  const described = toDescribedAxes(x === y ? [x] : [x, y], coloring);

  const clear = () => onBrush([x, y].reduce((next, axis) => brushAxis(next, axis.id, null), brush));
  const select = hoveredKey !== null && onSelect ? () => onSelect(hoveredKey) : null;
  const click = () => {
    if (hovered && select) select();
    else if (brush.has(x.id) || brush.has(y.id)) clear();
  };
  const drag = usePlotDrag<RectDrag, Brush>({
    start: (at, reach) => startRect(toExtent(x, brush.get(x.id)), toExtent(y, brush.get(y.id)), at, reach),
    toChoice: (now, at, pixels) => toRectBrush(brush, { x, y }, now, at, pixels),
    onPreview: (next) => onPreview(next ?? null),
    onChoose: onBrush,
    onClick: click,
  });
  const walk = (spot: Spot | null) => onHover((spot && rows[spot.rows[0] ?? -1]?.key) ?? null);
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (preview || event.pointerType === 'touch') return;
    const box = event.currentTarget.getBoundingClientRect();
    const near = findNearestSpot(spots, event.clientX - box.left, event.clientY - box.top, REACH);
    const keys = (near === null ? [] : (spots[near]?.rows ?? [])).map((row) => rows[row]?.key);
    if (keys.length === 0 ? hoveredKey !== null : !keys.includes(hoveredKey ?? '')) onHover(keys[0] ?? null);
  };
  const hover = { onPointerMove, onPointerLeave: () => hoveredKey !== null && onHover(null) };
  return (
    <div ref={ref}>
      <div {...hover} className="relative overflow-hidden select-none" style={{ height: HEIGHT }}>
        <SpotSlider
          {...drag}
          label={`Points of ${label}, in the order of ${x.label}`}
          spots={spots}
          toText={(spot) => toSpotText(spot, rows, described)}
          onWalk={walk}
          onEnter={select}
          onEscape={rect && clear}
          className="absolute cursor-crosshair touch-pan-y"
          style={{ left: area.left, top: area.top, width: area.right - area.left, height: area.bottom - area.top }}
        >
          {rect && <SelectedRect rect={rect} />}
        </SpotSlider>
        <ScatterAxes
          x={x}
          y={y}
          area={area}
          chosen={{ x: now.get(x.id), y: now.get(y.id) }}
          onChoose={(axisId, choice) => onBrush(brushAxis(brush, axisId, choice))}
        />
        <SpotLayer spots={spots} marks={marks} width={size.width} height={HEIGHT} hovered={hovered} />
        {hovered && rows[hoveredRow] && (
          <PlotTip
            point={hovered}
            width={size.width}
            height={HEIGHT}
            title={rows[hoveredRow].label}
            axes={described}
            row={hoveredRow}
            others={hovered.rows.length - 1}
          />
        )}
      </div>
    </div>
  );
}
