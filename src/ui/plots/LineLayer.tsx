import { useCallback, useMemo } from 'react';
import { toPath, type Lines } from './lines.ts';
import { toColorToken, toDashes, toLineWidth, toMarkCounts, toOpacity, type Mark } from './rowStyles.ts';
import { paintLines } from './paintLines.ts';
import { SlicedCanvas } from './SlicedCanvas.tsx';

interface LineLayerProps {
  lines: Lines;
  marks: readonly Mark[];
  width: number;
  height: number;
  hoveredRow: number | null;
}

const MOST_SVG_LINES = 200;

/** The rows' lines: SVG if they are few, else a canvas; the hovered one is always on top. */
export function LineLayer({ lines, marks, width, height, hoveredRow }: LineLayerProps) {
  const counts = useMemo(() => toMarkCounts(marks), [marks]);
  const isCanvas = marks.length > MOST_SVG_LINES;
  const paint = useCallback(
    (context: CanvasRenderingContext2D, toColor: (token: string) => string) =>
      paintLines(context, toColor, lines, marks, counts),
    [lines, marks, counts],
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
              style={{
                stroke: `var(${toColorToken(mark)})`,
                opacity: toOpacity(mark, mark.isFaded ? counts.faded : counts.on),
              }}
              strokeWidth={toLineWidth(mark)}
              strokeDasharray={toDashes(mark).join(' ') || undefined}
              strokeLinejoin="round"
            />
          ))}
        {hovered && (
          <>
            <path d={toPath(lines, hovered.row)} className="stroke-surface" strokeWidth={6} strokeLinejoin="round" />
            <path
              d={toPath(lines, hovered.row)}
              style={{
                stroke:
                  hovered.series === null && hovered.tint === null ? 'var(--ink)' : `var(${toColorToken(hovered)})`,
              }}
              strokeWidth={2.75}
              strokeDasharray={toDashes(hovered).join(' ') || undefined}
              strokeLinejoin="round"
            />
          </>
        )}
      </svg>
    </>
  );
}
