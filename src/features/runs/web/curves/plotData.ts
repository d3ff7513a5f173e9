// What one plot draws: its lines with their looks, its ranges and ticks, and what has to be said about it. Pure.
import { formatMeasure } from '#core/contract/numberNotation.ts';
import { toTicks, type Tick } from '#ui/plots/scales/ticks.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import type { CurveView } from '#features/runs/web/curves/curveMath/curveView.ts';
import { toSmoothLine } from '#features/runs/web/curves/curveMath/lineBook.ts';
import { toPlaces, type Line } from '#features/runs/web/curves/curveMath/line.ts';
import { isHeldOut, type PlotSpec } from '#features/runs/web/curves/curveMath/metrics.ts';
import type { DrawnLine } from '#features/runs/web/curves/curveMath/paintCurves.ts';
import { toValueRange, type ValueRange } from '#features/runs/web/curves/curveMath/valueRange.ts';
import type { XRange } from '#features/runs/web/curves/curveMath/xRange.ts';

/** CSS pixels of a plot's picture among others. */
export const PICTURE_HEIGHT = 210;

export interface PlotData {
  readonly lines: readonly DrawnLine[];
  /** null: nothing in view has a place on the y axis. */
  readonly y: { readonly from: number; readonly to: number; readonly ticks: readonly Tick[] } | null;
  /** Values in view that are not finite. */
  readonly broken: readonly BrokenMark[];
  /** Which runs the y axis leaves out; '': none. */
  readonly outside: string;
  /** What else the picture leaves out, in sentences. */
  readonly notes: readonly string[];
}

export interface BrokenMark {
  readonly runId: string;
  readonly series: number;
  readonly x: number;
  readonly kind: 'NaN' | 'Infinity' | '-Infinity';
}

/** More marks would be one bar. */
const MOST_MARKS = 200;

function toBroken(drawn: readonly DrawnLine[], view: XRange): { marks: readonly BrokenMark[]; count: number } {
  const marks: BrokenMark[] = [];
  let count = 0;
  for (const { line, raw, series } of drawn) {
    const { broken, xs, values, runId } = raw ?? line;
    for (const at of broken) {
      const x = xs[at] ?? Number.NaN;
      if (x < view.from || x > view.to) continue;
      count += 1;
      if (marks.length < MOST_MARKS) marks.push({ runId, series, x, kind: String(values[at]) as BrokenMark['kind'] });
    }
  }
  return { marks, count };
}

function countNotPositive(lines: readonly Line[], view: XRange): number {
  let count = 0;
  for (const line of lines) {
    const [first, end] = toPlaces(line, view.from, view.to);
    for (let at = first; at < end; at += 1) if ((line.values[at] ?? Number.NaN) <= 0) count += 1;
  }
  return count;
}

const MOST_CUT_NAMED = 3;

const toNames = (runs: ReadonlySet<string>, names: ReadonlyMap<string, string>): readonly string[] =>
  [...runs].map((run) => names.get(run) ?? run);

function toOutsideText({ outside }: ValueRange, names: ReadonlyMap<string, string>): string {
  const [count, left] = [outside.size, outside.size - MOST_CUT_NAMED];
  if (count === 0) return '';
  const named = toNames(outside, names).slice(0, MOST_CUT_NAMED).join(', ');
  return `${formatCounted(count, 'run')} ${count === 1 ? 'lies' : 'lie'} mostly outside: ${named}${left > 0 ? ` and ${left} more` : ''}.`;
}

/** What the y axis cuts off; of few runs among others their names too, if nothing names them yet. */
function toCutText(
  { above, below, high, runs, outside }: ValueRange,
  all: number,
  names: ReadonlyMap<string, string>,
): string {
  if (above + below === 0) return '';
  const whose = toNames(runs, names);
  const isFew = outside.size === 0 && runs.size < all && runs.size <= MOST_CUT_NAMED;
  return (
    `Cut off: ${formatCounted(above, 'point')} above ${formatMeasure(high)}` +
    `${below > 0 ? `, ${formatCount(below)} below` : ''}${isFew ? `, of ${whose.join(', ')}` : ''}.`
  );
}

/** What all plots of a panel share. */
export interface PlotsInput {
  readonly lines: ReadonlyMap<string, readonly Line[]>;
  readonly colors: ReadonlyMap<string, number>;
  /** Runs that a person has switched off. */
  readonly hidden: ReadonlySet<string>;
  /** Labels of the runs. */
  readonly names: ReadonlyMap<string, string>;
  readonly view: CurveView;
  readonly x: XRange;
}

interface PlotInput extends PlotsInput {
  readonly spec: PlotSpec;
}

export function toPlotData({ spec, lines, colors, hidden, names, view, x }: PlotInput): PlotData {
  const drawn = spec.names.flatMap((name) =>
    (lines.get(name) ?? []).flatMap((line): readonly DrawnLine[] => {
      if (hidden.has(line.runId) || line.xs.length === 0) return [];
      const smooth = toSmoothLine(line, view.smoothing);
      return [
        {
          line: smooth,
          raw: smooth === line ? null : line,
          series: colors.get(line.runId) ?? 0,
          isHeldOut: spec.names.length > 1 && isHeldOut(name),
        },
      ];
    }),
  );
  const shown = drawn.flatMap(({ line, raw }) => (raw ? [line, raw] : [line]));
  const range = toValueRange(shown, x, view);
  const broken = toBroken(drawn, x);
  const lost = spec.names.flatMap((name) => lines.get(name) ?? []).filter(({ lost }) => lost > 0);
  const whole = lost.filter(({ xs }) => xs.length === 0).length;
  const notPositive = view.isLog ? countNotPositive(shown, x) : 0;
  const notes = [
    range ? toCutText(range, new Set(shown.map(({ runId }) => runId)).size, names) : '',
    broken.count > 0 ? `${formatCounted(broken.count, 'value')} not finite, marked at the top.` : '',
    notPositive > 0 ? `${formatCounted(notPositive, 'value')} at or below 0 can’t be drawn on a logarithmic axis.` : '',
    whole > 0 ? `${formatCounted(whole, 'curve')} without values for this x axis.` : '',
  ].filter((note) => note !== '');
  const isLog = view.isLog && range !== null && range.low > 0;
  const y =
    range &&
    toTicks({ min: range.low, max: range.high, scale: isLog ? 'log' : 'linear', isWhole: false, isMeasure: true });
  return { lines: drawn, y, broken: broken.marks, outside: range ? toOutsideText(range, names) : '', notes };
}
