// All metrics of one run as pictures for a page that is read offline. Pure.
import { formatMeasure } from '#core/contract/numberNotation.ts';
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { toCountText } from '#ui/kit/format.ts';
import { USUAL_VIEW } from '#features/runs/web/curves/curveMath/curveView.ts';
import type { Line } from '#features/runs/web/curves/curveMath/line.ts';
import { toLines } from '#features/runs/web/curves/curveMath/lineBook.ts';
import { toMetricGroups, toPlotSpecs, toUsualMetrics } from '#features/runs/web/curves/curveMath/metrics.ts';
import { PAGE, toPicture } from './curvesSvg.ts';
import { toPlotData } from './plotData.ts';
import { toWholeRange } from '#features/runs/web/curves/curveMath/xRange.ts';

export interface RunPicture {
  /** The metric, or a metric in training and on validation rows. */
  readonly title: string;
  readonly svg: string;
  /** What the picture shows, in sentences: for people who don't see it. */
  readonly words: string;
}

const NOBODY: ReadonlySet<string> = new Set();
const NO_NAMES: ReadonlyMap<string, string> = new Map();

function toWords({ name, steps, values, isThinned, broken }: Line): string {
  const finite = [...values.keys()].filter((at) => Number.isFinite(values[at]));
  const say = (at: number): string =>
    `${formatMeasure(values[at] ?? Number.NaN)} at step ${toCountText(steps[at] ?? 0)}`;
  const [first, last] = [finite[0], finite.at(-1)];
  if (first === undefined || last === undefined) return `${name}: no finite value.`;
  const lowest = finite.reduce((low, at) => ((values[at] ?? 0) < (values[low] ?? 0) ? at : low), first);
  const ends = first === last ? say(first) : `from ${say(first)} to ${say(last)}`;
  return (
    `${name}: ${ends}${lowest === first || lowest === last ? '' : `, lowest ${say(lowest)}`}` +
    `${broken.length === 0 ? '' : `; ${formatCounted(broken.length, 'value')} not finite`}` +
    `${isThinned ? '; thinned' : ''}.`
  );
}

/** The usual metrics first, the others by prefix and name. `curves`: of this run alone. */
export function toRunPictures(curves: readonly ReadCurve[], runId: string): readonly RunPicture[] {
  const lines = toLines(curves, 'step', [{ id: runId }]);
  const x = toWholeRange([...lines.values()].flat());
  if (x === null) return [];
  const metrics = curves.map(({ name }) => ({ name, runs: 1 }));
  const others = toMetricGroups(metrics).flatMap(({ names }) => names.map(({ name }) => name));
  return toPlotSpecs([...new Set([...toUsualMetrics(metrics), ...others])]).map((spec) => {
    const title = spec.names.join(' and ');
    const colors = new Map([[runId, 0]]);
    const data = toPlotData({ spec, lines, colors, hidden: NOBODY, names: NO_NAMES, view: USUAL_VIEW, x });
    const { svg } = toPicture({ plots: [{ title, data }], view: USUAL_VIEW, x, names: NO_NAMES, colors, look: PAGE });
    const shown = spec.names.flatMap((name) => lines.get(name) ?? []);
    return { title, svg, words: shown.map(toWords).join(' ') };
  });
}
