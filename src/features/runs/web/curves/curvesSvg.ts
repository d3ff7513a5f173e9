// The plots as one SVG picture: in the colours of the light theme for documents, or in those of the page it stands in. Pure.
import { toRound, toRoundDashes } from '#ui/plots/curveLook.ts';
import { hasDots, toDashesOf } from '#features/runs/web/curves/curveMath/paintCurves.ts';
import {
  toPathText,
  toCorners,
  toPixel,
  toY,
  type Corners,
  type Frame,
} from '#features/runs/web/curves/curveMath/linePixels.ts';
import { X_LABELS, type CurveView } from '#features/runs/web/curves/curveMath/curveView.ts';
import { toXTicks } from '#features/runs/web/curves/curveMath/xText.ts';
import { toMarkPath, toShownMarks } from './brokenMarks.ts';
import type { PlotData } from './plotData.ts';
import type { XRange } from '#features/runs/web/curves/curveMath/xRange.ts';

/** As `--series-1` to `--series-8` in `styles.css`. */
const COLORS = ['#0b5fd0', '#c2410c', '#16794a', '#6a3fc0', '#0f7490', '#a8326e', '#75600a', '#4a5568'];

/** Colours as SVG attributes take them. */
interface PictureLook {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly grid: string;
  readonly toColor: (series: number) => string;
}

const DOCUMENT: PictureLook = {
  paper: '#fff',
  ink: '#1b1d1f',
  soft: '#5c6166',
  grid: '#e4e4e0',
  toColor: (series) => COLORS[series % COLORS.length] ?? '#000',
};

/** Of a page that has the variables of `styles.css`. */
export const PAGE: PictureLook = {
  paper: 'none',
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  grid: 'var(--line)',
  toColor: (series) => `var(--series-${(series % COLORS.length) + 1})`,
};

const WIDTH = 560;
const HEIGHT = 260;
const COLUMNS = 2;
const ROW = 16;
const MOST_NAMED = 60;

interface PicturePlot {
  readonly title: string;
  readonly data: PlotData;
}

export interface PictureInput {
  readonly plots: readonly PicturePlot[];
  readonly view: CurveView;
  readonly x: XRange;
  readonly names: ReadonlyMap<string, string>;
  readonly colors: ReadonlyMap<string, number>;
  readonly look?: PictureLook;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface TextLook {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly color: string;
  readonly weight?: number;
  readonly size?: number;
}

const text = (x: number, y: number, value: string, look: TextLook): string =>
  `<text x="${x}" y="${y}" text-anchor="${look.anchor ?? 'start'}" fill="${look.color}" ` +
  `font-weight="${look.weight ?? 400}"${look.size ? ` font-size="${look.size}"` : ''}>${escape(value)}</text>`;

/** The points of a line that has few: one alone, or between two values that are not finite, would be nothing. */
function toDots(corners: Corners): string {
  let dots = '';
  for (let at = 0; at < corners.length; at += 2)
    if (!Number.isNaN(corners[at + 1])) dots += `M${corners[at]?.toFixed(1)} ${corners[at + 1]?.toFixed(1)}h0`;
  return dots;
}

function toPlot({ title, data }: PicturePlot, { view, x, look = DOCUMENT }: PictureInput, place: number): string {
  const { from: low = 0, to: high = 1 } = data.y ?? {};
  const frame: Frame = {
    x,
    low,
    high,
    isLog: view.isLog && low > 0,
    left: 60,
    right: WIDTH - 14,
    top: 44,
    bottom: HEIGHT - 24,
  };
  const grid = (data.y?.ticks ?? []).map(({ value, label }) => {
    const y = toY(frame, value);
    return (
      `<path d="M${frame.left} ${y}H${frame.right}" stroke="${look.grid}"/>` +
      text(frame.left - 6, y + 4, label, { anchor: 'end', color: look.soft })
    );
  });
  const ticks = toXTicks(view.x, x).map(({ value, label }) =>
    text(toPixel(frame, value), HEIGHT - 8, label, { anchor: 'middle', color: look.soft }),
  );
  const marks = toShownMarks(data.broken, frame).map(
    ({ kind, at, series }) =>
      `<path d="${toMarkPath(kind, at)}" stroke="${look.toColor(series)}" stroke-width="1.5" fill="none"/>`,
  );
  const notes = text(12, 31, [data.outside, ...data.notes].join(' ').trim(), { color: look.soft, size: 10 });
  const axis = text(12, HEIGHT - 8, X_LABELS[view.x], { color: look.soft });
  const paths = data.lines.flatMap(({ line, raw, series, isHeldOut }) => {
    const dashes = toDashesOf({ series, isHeldOut });
    const toPath = (d: string, opacity: number, isDashed: boolean): string =>
      `<path d="${d}" stroke="${look.toColor(series)}" stroke-opacity="${opacity}" stroke-width="1.5" fill="none"` +
      `${isDashed && dashes.length > 0 ? ` stroke-dasharray="${dashes.join(' ')}"` : ''}/>`;
    const corners = toCorners(line, frame);
    const dots = hasDots(corners) ? toDots(corners) : '';
    return [
      ...(raw ? [toPath(toPathText(toCorners(raw, frame)), 0.22, false)] : []),
      toPath(toPathText(corners), 1, true),
      ...(dots === ''
        ? []
        : [`<path d="${dots}" stroke="${look.toColor(series)}" stroke-width="4" stroke-linecap="round"/>`]),
    ];
  });
  const [left, top] = [(place % COLUMNS) * WIDTH, Math.floor(place / COLUMNS) * HEIGHT];
  return (
    `<g transform="translate(${left} ${top})">${text(12, 18, title, { color: look.ink, weight: 600 })}` +
    `<svg x="${frame.left}" y="${frame.top}" width="${frame.right - frame.left}" height="${frame.bottom - frame.top}" ` +
    `viewBox="${frame.left} ${frame.top} ${frame.right - frame.left} ${frame.bottom - frame.top}">${paths.join('')}</svg>` +
    `<g transform="translate(0 ${frame.top - 12})">${marks.join('')}</g>` +
    `${grid.join('')}${ticks.join('')}${axis}${notes}</g>`
  );
}

/** The picture with the names of the runs below it. `width` and `height` in pixels. */
export function toPicture(input: PictureInput): {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
} {
  const { look = DOCUMENT } = input;
  const plotRows = Math.ceil(input.plots.length / COLUMNS);
  const width = Math.min(COLUMNS, Math.max(1, input.plots.length)) * WIDTH;
  const runs = [...input.names].slice(0, MOST_NAMED);
  const left = input.names.size - runs.length;
  const height = plotRows * HEIGHT + (runs.length + (left > 0 ? 1 : 0)) * ROW + 16;
  const legend = runs.map(([id, name], place) => {
    const series = input.colors.get(id) ?? 0;
    const y = plotRows * HEIGHT + 12 + place * ROW;
    const dashes = toRoundDashes(toRound(series));
    return (
      `<path d="M12 ${y - 4}h22" stroke="${look.toColor(series)}" stroke-width="2.5" ` +
      `stroke-dasharray="${dashes.join(' ') || 'none'}"/>${text(42, y, name, { color: look.ink })}`
    );
  });
  const more = left > 0 ? text(42, height - 8, `and ${left} more runs`, { color: look.soft }) : '';
  return {
    svg:
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
      `font-family="system-ui, sans-serif" font-size="12"><rect width="100%" height="100%" fill="${look.paper}"/>` +
      `${input.plots.map((plot, place) => toPlot(plot, input, place)).join('')}${legend.join('')}${more}</svg>`,
    width,
    height,
  };
}
