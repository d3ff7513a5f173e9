// Draws the lines of the parallel plot on a canvas, step by step.
import type { Lines } from './lines.ts';
import { toBatches, toColorToken, toDashes, toLineWidth, toOpacity, type Mark, type MarkCounts } from './rowStyles.ts';

const LINES_A_STEP = 40;
/** Lines of one stroke don't add up where they cross: with larger strokes a few hundred would look like thousands. */
const LINES_A_STROKE = 10;
/** Below this opacity a colour has too few 8-bit steps to keep its hue. */
const FAINT = 0.15;

interface Veil {
  readonly token: string;
  readonly context: CanvasRenderingContext2D;
}

/** A separate canvas on which faint lines of one colour are drawn in black; it gets its colour when it is complete. */
function openVeil(under: CanvasRenderingContext2D, token: string): Veil | null {
  const canvas = document.createElement('canvas');
  canvas.width = under.canvas.width;
  canvas.height = under.canvas.height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.setTransform(under.getTransform());
  return context && { token, context };
}

function drawVeil(under: CanvasRenderingContext2D, { token, context }: Veil, toColor: (token: string) => string): void {
  context.resetTransform();
  context.globalAlpha = 1;
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = toColor(token);
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  under.save();
  under.resetTransform();
  under.globalAlpha = 1;
  under.drawImage(context.canvas, 0, 0);
  under.restore();
}

function stroke(context: CanvasRenderingContext2D, { xs, ys }: Lines, batch: readonly Mark[]): void {
  context.beginPath();
  for (const { row } of batch) {
    for (const [place, x] of xs.entries()) {
      const y = ys[row * xs.length + place] ?? 0;
      if (place === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }
  context.stroke();
}

/**
 * Yields between steps of about 40 lines. Faint lines of one colour are collected on a veil, which is drawn when the
 * colour changes: alone, each line would be too faint.
 */
export function* paintLines(
  context: CanvasRenderingContext2D,
  toColor: (token: string) => string,
  lines: Lines,
  marks: readonly Mark[],
  { on, faded }: MarkCounts,
) {
  let veil: Veil | null = null;
  let drawn = 0;
  for (const batch of toBatches(marks, LINES_A_STROKE)) {
    const first = batch[0];
    if (!first) continue;
    const token = toColorToken(first);
    const opacity = toOpacity(first, first.isFaded ? faded : on);
    // Lines that are coloured by value change their colour too often for veils.
    const isVeiled = opacity < FAINT && (first.tint === null || first.isFaded);
    if (veil && (!isVeiled || veil.token !== token)) {
      drawVeil(context, veil, toColor);
      veil = null;
    }
    if (isVeiled) veil ??= openVeil(context, token);
    const target = veil?.context ?? context;
    target.strokeStyle = veil ? '#000' : toColor(token);
    target.globalAlpha = opacity;
    target.lineWidth = toLineWidth(first) - 0.25;
    target.setLineDash(toDashes(first));
    stroke(target, lines, batch);
    // Counts lines, not strokes: with colours by value a stroke may have a single line.
    drawn += batch.length;
    if (drawn < LINES_A_STEP) continue;
    drawn = 0;
    // Reading a pixel draws the veil's strokes now; otherwise the browser would draw all of them at once later.
    veil?.context.getImageData(0, 0, 1, 1);
    yield;
  }
  if (veil) drawVeil(context, veil, toColor);
}
