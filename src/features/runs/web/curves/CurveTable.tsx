import { CutText } from '#ui/kit/CutText.tsx';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { formatMeasure } from '#core/contract/numberNotation.ts';
import { useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { formatCount } from '#ui/kit/format.ts';
import type { XAxis } from '#features/runs/web/curves/curveMath/curveView.ts';
import { toDashedWord } from '#features/runs/web/curves/curveMath/metrics.ts';
import { toSummary } from '#features/runs/web/curves/curveMath/summary.ts';
import { toXText } from '#features/runs/web/curves/curveMath/xText.ts';
import type { PlotData } from './plotData.ts';
import type { XRange } from '#features/runs/web/curves/curveMath/xRange.ts';

interface CurveTableProps {
  label: string;
  data: PlotData;
  /** The part in view. */
  x: XRange;
  names: ReadonlyMap<string, string>;
  axis: XAxis;
}

const SHOWN = 30;

/** The part of the curves that is in view, in numbers. */
export function CurveTable({ label, data, x, names, axis }: CurveTableProps) {
  const [isAll, setAll] = useState(false);
  const lines = isAll ? data.lines : data.lines.slice(0, SHOWN);
  const left = data.lines.length - lines.length;
  return (
    <div className="border-t border-line px-3 py-1.5">
      <SimpleTable
        caption={`Values of ${label} in view`}
        heads={['Run', 'First', 'Last', 'Lowest', 'Highest', 'Points', 'Not finite']}
        className="text-sm whitespace-nowrap"
      >
        {lines.map(({ line, raw, isHeldOut }) => {
          const summary = toSummary(raw ?? line, x);
          return (
            <tr key={`${line.runId} ${line.name}`} className="font-mono">
              <th scope="row" className="max-w-48 truncate pr-3 text-left font-sans font-normal">
                <CutText text={names.get(line.runId) ?? line.runId} />
                {isHeldOut && <span className="text-soft"> {toDashedWord(line.name)}</span>}
              </th>
              {summary ? (
                <>
                  <td className="pr-3">{formatMeasure(summary.first)}</td>
                  <td className="pr-3">{formatMeasure(summary.last)}</td>
                  <td className="pr-3">
                    {formatMeasure(summary.low)}{' '}
                    <span className="font-sans text-soft">at {toXText(axis, summary.lowAt)}</span>
                  </td>
                  <td className="pr-3">
                    {formatMeasure(summary.high)}{' '}
                    <span className="font-sans text-soft">at {toXText(axis, summary.highAt)}</span>
                  </td>
                  <td className="pr-3">{formatCount(summary.points)}</td>
                  <td>{summary.broken === 0 ? '–' : formatCount(summary.broken)}</td>
                </>
              ) : (
                <td colSpan={6} className="font-sans text-soft">
                  no point in view
                </td>
              )}
            </tr>
          );
        })}
      </SimpleTable>
      {left > 0 && (
        <Button size="small" variant="quiet" onClick={() => setAll(true)}>
          Show {formatCount(left)} more
        </Button>
      )}
    </div>
  );
}
