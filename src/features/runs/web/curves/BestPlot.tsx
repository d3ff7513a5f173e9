import { CutText } from '#ui/kit/CutText.tsx';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { formatMeasure } from '#core/contract/numberNotation.ts';
import { useMemo } from 'react';
import { toSeriesToken } from '#ui/plots/curveLook.ts';
import { toTicks } from '#ui/plots/scales/ticks.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { useSize } from '#ui/kit/useSize.ts';
import { toBestSoFar } from '#features/runs/web/curves/curveMath/bestSoFar.ts';
import type { Line } from '#features/runs/web/curves/curveMath/line.ts';
import { toBetter } from '#features/runs/web/curves/curveMath/metrics.ts';
import { toXText } from '#features/runs/web/curves/curveMath/xText.ts';

interface BestPlotProps {
  metric: string;
  /** One for each run, from end to end. */
  lines: readonly Line[];
  names: ReadonlyMap<string, string>;
  colors: ReadonlyMap<string, number>;
}

const HEIGHT = 200;
const BOX = { left: 58, top: 12, bottom: HEIGHT - 22 };

/** Whether the runs get better: each run's best value in the order of their start, and the best one until then. */
export function BestPlot({ metric, lines, names, colors }: BestPlotProps) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const better = toBetter(metric);
  const points = useMemo(() => toBestSoFar(lines, better), [lines, better]);
  const values = points.flatMap(({ value }) => value ?? []);
  const y =
    values.length === 0
      ? null
      : toTicks({
          min: Math.min(...values),
          max: Math.max(...values),
          scale: 'linear',
          isWhole: false,
          isMeasure: true,
        });
  const right = Math.max(BOX.left + 40, width - 14);
  const toX = (place: number): number =>
    points.length === 1 ? (BOX.left + right) / 2 : BOX.left + (place / (points.length - 1)) * (right - BOX.left);
  const toY = (value: number): number =>
    y === null ? 0 : BOX.bottom - ((value - y.from) / (y.to - y.from || 1)) * (BOX.bottom - BOX.top);
  const steps = points.flatMap(({ best }, place) => {
    if (best === null) return [];
    const before = points[place - 1]?.best ?? null;
    return before === null
      ? [`M${toX(place)} ${toY(best)}`]
      : [`L${toX(place)} ${toY(before)}${best === before ? '' : `L${toX(place)} ${toY(best)}`}`];
  });
  const record = points.findLast(({ isRecord }) => isRecord);
  const isTimed = points.some(({ startedAt }) => startedAt !== null);
  return (
    <figure aria-label={`Best ${metric} so far`} className="m-0 rounded-lg border border-line bg-surface pt-1.5 pb-2">
      <figcaption className="px-3">
        <strong className="font-semibold">
          Best <span className="font-mono">{metric}</span> so far
        </strong>{' '}
        <span className="text-sm text-soft">
          {better} is better; runs in the order {isTimed ? 'of their start' : 'of the tree, because they have no times'}
          {record &&
            `; best is ${names.get(record.runId) ?? record.runId} with ${formatMeasure(record.value ?? Number.NaN)}`}
        </span>
      </figcaption>
      <div ref={ref} className="relative overflow-hidden" style={{ height: HEIGHT }}>
        <svg aria-hidden className="absolute inset-0 size-full fill-none">
          {y?.ticks.map(({ value, label }) => (
            <g key={label} transform={`translate(0 ${toY(value)})`}>
              <path d={`M${BOX.left} 0H${right}`} className="stroke-line" />
              <text x={BOX.left - 6} y={4} textAnchor="end" className="fill-faint font-mono text-2xs">
                {label}
              </text>
            </g>
          ))}
          <path d={steps.join('')} className="stroke-success" strokeWidth={1.75} />
          {points.map(
            ({ runId, value, isRecord }, place) =>
              value !== null && (
                <circle
                  key={runId}
                  cx={toX(place)}
                  cy={toY(value)}
                  r={isRecord ? 4 : 3}
                  opacity={isRecord ? 1 : 0.55}
                  style={{ fill: `var(${toSeriesToken(colors.get(runId) ?? 0)})` }}
                >
                  <title>{`${names.get(runId) ?? runId}: ${formatMeasure(value)}`}</title>
                </circle>
              ),
          )}
        </svg>
      </div>
      <div className="px-3">
        <MoreFigures title="Values as a table">
          <SimpleTable
            heads={['Run', 'Started', 'Its best', 'Best so far']}
            className="max-h-64 text-sm whitespace-nowrap"
          >
            {points.map(({ runId, value, best, isRecord, startedAt }) => (
              <tr key={runId}>
                <th scope="row" className="max-w-64 truncate pr-4 text-left font-normal">
                  <CutText text={names.get(runId) ?? runId} />
                </th>
                <td className="pr-4">{startedAt === null ? 'unknown' : toXText('time', startedAt)}</td>
                <td className={`pr-4 font-mono ${isRecord ? 'font-semibold' : ''}`}>
                  {value === null ? '–' : formatMeasure(value)}
                </td>
                <td className="font-mono">{best === null ? '–' : formatMeasure(best)}</td>
              </tr>
            ))}
          </SimpleTable>
        </MoreFigures>
      </div>
    </figure>
  );
}
