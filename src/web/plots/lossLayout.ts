// Layout of loss curves: both scales, paths, marks where a loss is not finite. Pure.
import {
  findPointAt,
  toSmooth,
  toStretches,
  toThinned,
  type LossPoint,
  type LossRange,
  type LossSeries,
} from './lossPoints.ts';
import { fromFraction, toFraction, type Scale } from '#web/plots/scales/scale.ts';
import { formatMeasure, toTicks, type Tick } from '#web/plots/scales/ticks.ts';

export interface LossView {
  readonly isLog: boolean;
  /** Each run's steps as a share of its own training. */
  readonly isShare: boolean;
  readonly isSmooth: boolean;
}

export interface LossLayout {
  readonly x: Scale & { readonly ticks: readonly Tick[] };
  readonly y: Scale & { readonly ticks: readonly Tick[] };
  readonly curves: readonly LossCurve[];
}

interface LossCurve {
  readonly key: string;
  readonly path: string;
  /** Pixels from the left where losses stop being finite. */
  readonly broken: readonly number[];
  /** Place of the last finite loss; its text, or `diverged` if the run's last step has none. */
  readonly end: { readonly x: number; readonly y: number; readonly text: string } | null;
  /** As drawn: smoothed if wanted, steps as shares if wanted. */
  readonly points: readonly LossPoint[];
}

export interface LossBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const SMOOTH_WEIGHT = 0.9;
const SHARE_TICKS: readonly Tick[] = [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: `${value * 100}%` }));

function toShare(points: readonly LossPoint[]): readonly LossPoint[] {
  const end = points.at(-1)?.step || 1;
  return points.map(({ step, loss }) => ({ step: step / end, loss }));
}

/** The end label of a run whose last loss is not finite. Its last finite loss is in the legend. */
const DIVERGED = 'diverged';

const toPixel = (value: number): number => Math.round(value * 10) / 10;
const MOST_BROKEN = 200;

/** `range` is over all series, so that curves keep their place while one is hovered. */
export function toLossLayout(
  series: readonly LossSeries[],
  range: LossRange,
  view: LossView,
  box: LossBox,
): LossLayout {
  const scale = view.isLog && range.min > 0 ? 'log' : 'linear';
  const y = { scale, ...toTicks({ min: range.min, max: range.max, scale, isWhole: false, isMeasure: true }) } as const;
  const steps = toTicks({ min: 0, max: Math.max(1, range.steps), scale: 'linear', isWhole: true });
  const x = {
    scale: 'linear',
    from: 0,
    to: view.isShare ? 1 : Math.max(1, range.steps),
    ticks: view.isShare ? SHARE_TICKS : steps.ticks,
  } as const;
  const toX = (step: number): number => toPixel(box.left + toFraction(x, step) * (box.right - box.left));
  const toY = (loss: number): number => toPixel(box.bottom - toFraction(y, loss) * (box.bottom - box.top));
  const curves = series.map((entry): LossCurve => {
    const placed = view.isShare ? toShare(entry.points) : entry.points;
    const points = view.isSmooth ? toSmooth(placed, SMOOTH_WEIGHT) : placed;
    const stretches = toStretches(points).map((stretch) => toThinned(stretch, Math.max(1, box.right - box.left)));
    // A single point is a line of length 0: round caps make it a dot.
    const path = stretches
      .map(
        (stretch) =>
          stretch.map(({ step, loss }, index) => `${index === 0 ? 'M' : 'L'}${toX(step)} ${toY(loss)}`).join('') +
          (stretch.length === 1 ? 'h0' : ''),
      )
      .join('');
    const breaks = points.filter(
      ({ loss }, index) => !Number.isFinite(loss) && (index === 0 || Number.isFinite(points[index - 1]?.loss)),
    );
    const broken = [...new Set(breaks.map(({ step }) => Math.round(toX(step))))];
    const last = points.findLast(({ loss }) => Number.isFinite(loss));
    return {
      key: entry.key,
      path,
      broken: broken.slice(0, MOST_BROKEN),
      end: last
        ? {
            x: toX(last.step),
            y: Math.max(box.top, toY(last.loss)),
            text: `${last.loss > y.to ? '▲ ' : ''}${last === points.at(-1) ? formatMeasure(last.loss) : DIVERGED}`,
          }
        : null,
      points,
    };
  });
  return { x: { ...x, ticks: x.ticks.filter(({ value }) => value <= x.to) }, y, curves };
}

export interface Reading {
  readonly key: string;
  readonly loss: number;
}

/**
 * The loss of each curve at a horizontal place (a fraction), from its nearest step. Ended curves are left out.
 */
export function readAt(
  layout: LossLayout,
  fraction: number,
): { readonly step: number; readonly readings: readonly Reading[] } {
  const step = fromFraction(layout.x, fraction);
  const slack = (layout.x.to - layout.x.from) / 100;
  const readings = layout.curves.flatMap(({ key, points }) => {
    const point = findPointAt(points, step, slack);
    return point ? [{ key, loss: point.loss }] : [];
  });
  return { step, readings };
}

/** What the curves show. It is another number than the mean of the last steps and than a validation loss. */
export const toLossName = (isSmooth: boolean): string => `Training loss${isSmooth ? ', smoothed' : ' by step'}`;

/** "step 240" or "40% of training". */
export function toStepText(step: number, isShare: boolean): string {
  return isShare ? `${Math.round(step * 100)}% of training` : `step ${Math.round(step)}`;
}

export const toLossText = (loss: number): string => (Number.isFinite(loss) ? formatMeasure(loss) : 'not finite');
