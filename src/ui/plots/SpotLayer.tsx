import { useCallback, useMemo } from 'react';
import { toSpotLook, type Mark } from './rowStyles.ts';
import type { Spot } from './scatterLayout.ts';
import { SlicedCanvas } from './SlicedCanvas.tsx';

interface SpotLayerProps {
  spots: readonly Spot[];
  /** In drawing order; one per row. */
  marks: readonly Mark[];
  width: number;
  height: number;
  hovered: Spot | null;
}

const MOST_SVG_SPOTS = 400;
const SPOTS_A_STEP = 200;
const RADIUS = 4;

function toSpotStyle(mark: Mark): { readonly fill: string; readonly stroke: string; readonly strokeWidth: number } {
  const { fill, stroke, width } = toSpotLook(mark);
  return { fill: `var(${fill ?? '--surface'})`, stroke: `var(${stroke ?? '--surface'})`, strokeWidth: width };
}

/** The points. The topmost row of a spot gives its colour; a number counts several rows at one place. */
export function SpotLayer({ spots, marks, width, height, hovered }: SpotLayerProps) {
  const drawn = useMemo(() => {
    const spotOf = new Map(spots.flatMap((spot) => spot.rows.map((row) => [row, spot] as const)));
    // A map keeps the order of insertion: the last mark of a spot is the topmost one and moves the spot to the top.
    const top = new Map<Spot, Mark>();
    for (const mark of marks) {
      const spot = spotOf.get(mark.row);
      if (!spot) continue;
      top.delete(spot);
      top.set(spot, mark);
    }
    return [...top].map(([spot, mark]) => ({ spot, mark }));
  }, [spots, marks]);
  const isCanvas = drawn.length > MOST_SVG_SPOTS;
  const paint = useCallback(
    function* paint(context: CanvasRenderingContext2D, toColor: (token: string) => string) {
      const colors = new Map<string, string>();
      const find = (token: string): string => {
        const color = colors.get(token) ?? toColor(token);
        colors.set(token, color);
        return color;
      };
      for (const [index, { spot, mark }] of drawn.entries()) {
        if (index % SPOTS_A_STEP === 0) yield;
        const { fill, stroke, width: thick } = toSpotLook(mark);
        context.globalAlpha = mark.isFaded ? 0.4 : mark.series === null ? (mark.tint === null ? 0.55 : 0.85) : 1;
        context.beginPath();
        context.arc(spot.x, spot.y, mark.series === null ? RADIUS - 1 : RADIUS, 0, 7);
        if (fill !== null) {
          context.fillStyle = find(fill);
          context.fill();
        }
        if (stroke === null) continue;
        context.strokeStyle = find(stroke);
        context.lineWidth = thick;
        context.stroke();
      }
    },
    [drawn],
  );
  return (
    <>
      {isCanvas && <SlicedCanvas width={width} height={height} paint={paint} />}
      <svg aria-hidden width={width} height={height} className="pointer-events-none absolute inset-0">
        {!isCanvas &&
          drawn.map(({ spot, mark }) => (
            <g key={mark.row} opacity={mark.isFaded ? 0.5 : 1}>
              <circle cx={spot.x} cy={spot.y} r={RADIUS} style={toSpotStyle(mark)} />
              {spot.rows.length > 1 && (
                <text x={spot.x + RADIUS + 2} y={spot.y + 4} className="fill-soft text-2xs">
                  {spot.rows.length}
                </text>
              )}
            </g>
          ))}
        {hovered && (
          <circle cx={hovered.x} cy={hovered.y} r={RADIUS + 3} className="fill-none stroke-ink" strokeWidth={2} />
        )}
      </svg>
    </>
  );
}
