import { useCallback } from 'react';
import { toPath, type Lines } from './lines';
import { isHollow, toBatches, toColorToken, toLineWidth, toOpacity, type Mark } from './marks';
import { SlicedCanvas } from './SlicedCanvas';

interface LineLayerProps {
  lines: Lines;
  marks: readonly Mark[];
  width: number;
  height: number;
  hoveredRow: number | null;
}

const MOST_SVG_LINES = 200;
const LINES_A_STEP = 40;
const BROKEN = [2, 3];

/** The rows' lines: as SVG while they are few, on a canvas beyond; the hovered one always on top. */
export function LineLayer({ lines, marks, width, height, hoveredRow }: LineLayerProps) {
  const isCanvas = marks.length > MOST_SVG_LINES;
  const paint = useCallback(
    function* paint(context: CanvasRenderingContext2D, toColor: (token: string) => string) {
      const { xs, ys } = lines;
      let drawn = 0;
      for (const batch of toBatches(marks, LINES_A_STEP)) {
        const first = batch[0];
        if (!first) continue;
        context.strokeStyle = toColor(toColorToken(first));
        context.globalAlpha = toOpacity(first, marks.length);
        context.lineWidth = toLineWidth(first) - 0.25;
        context.setLineDash(isHollow(first) ? BROKEN : []);
        context.beginPath();
        for (const { row } of batch) {
          for (const [place, x] of xs.entries()) {
            const y = ys[row * xs.length + place] ?? 0;
            if (place === 0) context.moveTo(x, y);
            else context.lineTo(x, y);
          }
        }
        context.stroke();
        // Colours by value change from line to line: a step is a number of lines, not of strokes.
        drawn += batch.length;
        if (drawn < LINES_A_STEP) continue;
        drawn = 0;
        yield;
      }
    },
    [lines, marks],
  );
  const hovered = marks.find((mark) => mark.row === hoveredRow);
  return (
    <>
      {isCanvas && <SlicedCanvas width={width} height={height} paint={paint} />}
      <svg aria-hidden width={width} height={height} className="pointer-events-none absolute inset-0 fill-none">
        {!isCanvas &&
          marks.map((mark) => (
            <path
              key={mark.row}
              d={toPath(lines, mark.row)}
              style={{ stroke: `var(${toColorToken(mark)})`, opacity: toOpacity(mark, marks.length) }}
              strokeWidth={toLineWidth(mark)}
              strokeDasharray={isHollow(mark) ? BROKEN.join(' ') : undefined}
              strokeLinejoin="round"
            />
          ))}
        {hovered && (
          <>
            <path d={toPath(lines, hovered.row)} className="stroke-surface" strokeWidth={6} strokeLinejoin="round" />
            <path
              d={toPath(lines, hovered.row)}
              style={{ stroke: hovered.series === null && hovered.tint === null ? 'var(--ink)' : `var(${toColorToken(hovered)})` }}
              strokeWidth={2.75}
              strokeLinejoin="round"
            />
          </>
        )}
      </svg>
    </>
  );
}
