import { formatMeasure } from '#core/contract/numberNotation.ts';
import { TriangleAlert } from 'lucide-react';
import { toDashesOf, type DrawnLine } from '#features/runs/web/curves/curveMath/paintCurves.ts';
import { toDashedWord } from '#features/runs/web/curves/curveMath/metrics.ts';
import { CutText } from '#ui/kit/CutText.tsx';
import { toSeriesToken } from '#ui/plots/curveLook.ts';
import { toCountText } from '#ui/kit/format.ts';
import type { PlotData } from './plotData.ts';

interface CurveLegendProps {
  data: PlotData;
  names: ReadonlyMap<string, string>;
  hoveredKey: string | null;
  onHover: ((run: string | null) => void) | undefined;
}

/** More names would be a page of their own; pointing at a curve says its name too. */
const MOST_NAMED = 12;

/** Of a run that diverged: where that began, and its last finite value. */
function Divergence({ line, raw }: DrawnLine) {
  const { values, steps, broken } = raw ?? line;
  const first = broken[0];
  if (first === undefined) return null;
  const last = values.findLast(Number.isFinite);
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5 text-error">
      <TriangleAlert aria-hidden size={11} /> not finite from step {toCountText(steps[first] ?? 0)}
      {last !== undefined && `; last finite value ${formatMeasure(last)}`}
    </span>
  );
}

/**
 * Names of the lines. Pointing at a name draws its run in front. No value stands beside a name: that of one step would
 * be read as the training loss of tables, a mean of many.
 */
export function CurveLegend({ data, names, hoveredKey, onHover }: CurveLegendProps) {
  const left = data.lines.length - MOST_NAMED;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5 px-3 pt-1 text-xs">
      {data.lines.slice(0, MOST_NAMED).map((entry) => (
        <li
          key={`${entry.line.runId} ${entry.line.name}`}
          onPointerEnter={() => onHover?.(entry.line.runId)}
          onPointerLeave={() => onHover?.(null)}
          className={
            'flex min-w-0 max-w-full flex-wrap items-center gap-x-1.5 ' +
            (hoveredKey === entry.line.runId ? 'text-ink' : 'text-soft')
          }
        >
          <span className="flex max-w-full min-w-0 items-center gap-x-1.5">
            <svg aria-hidden width={24} height={6} className="shrink-0">
              <path
                d="M0 3h24"
                style={{ stroke: `var(${toSeriesToken(entry.series)})` }}
                strokeDasharray={toDashesOf(entry).join(' ')}
                strokeWidth={2.5}
              />
            </svg>
            <span className="truncate">
              <CutText text={names.get(entry.line.runId) ?? entry.line.runId} />
              {entry.isHeldOut && `, ${toDashedWord(entry.line.name)}`}
            </span>
          </span>
          <Divergence {...entry} />
        </li>
      ))}
      {left > 0 && <li className="text-soft">and {left} more</li>}
    </ul>
  );
}
