import { Table2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { keepFocus } from '#ui/kit/keepFocus.ts';
import { CurveArea } from './CurveArea.tsx';
import { CurveTable } from './CurveTable.tsx';
import type { CurveView } from '#features/runs/web/curves/curveMath/curveView.ts';
import { findTerm } from '#features/runs/web/curves/curveMath/metricTerms.ts';
import { toDashedWord, type PlotSpec } from '#features/runs/web/curves/curveMath/metrics.ts';
import type { PlotData } from './plotData.ts';
import type { SharedPointer } from './pointer.ts';
import type { XRange } from '#features/runs/web/curves/curveMath/xRange.ts';

interface CurvePlotProps {
  /** Of the figure; without it the names of the metrics. */
  label?: string;
  spec: PlotSpec;
  data: PlotData;
  view: CurveView;
  x: XRange;
  whole: XRange;
  names: ReadonlyMap<string, string>;
  front: string | null;
  pointer: SharedPointer;
  onZoom: (range: XRange | null) => void;
  /** Cuts no outliers off any more. */
  onShowAll: () => void;
  /** Of the picture, in CSS pixels. */
  height: number;
  /** Beside the title. */
  controls?: ReactNode;
  /** Below the picture. */
  children?: ReactNode;
}

/** One metric of all shown runs: what it means, its picture, its values as a table on demand. */
export function CurvePlot({
  label,
  spec,
  data,
  view,
  x,
  whole,
  names,
  front,
  pointer,
  onZoom,
  onShowAll,
  height,
  controls,
  children,
}: CurvePlotProps) {
  const [isTable, setTable] = useState(false);
  const term = findTerm(spec.key);
  const dashed = new Set(spec.names.slice(1).map(toDashedWord));
  return (
    <figure
      aria-label={label ?? spec.names.join(' and ')}
      className="m-0 flex min-w-0 flex-col rounded-lg border border-line bg-surface pt-1.5 pb-1"
    >
      <figcaption className="flex min-h-7 flex-wrap items-start justify-end gap-x-2 px-3">
        <span className="min-w-0 flex-1 basis-48">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <strong className="font-mono font-semibold break-all">{spec.key}</strong>
            {dashed.size > 0 && <span className="text-sm text-soft">{[...dashed].join(' and ')}: dash-dot lines</span>}
            {view.smoothing > 0 && <span className="text-sm text-soft">smoothed {view.smoothing}</span>}
          </span>
          {term !== null && (
            <span className="line-clamp-1 text-sm text-soft" title={term}>
              {term}
            </span>
          )}
        </span>
        <span className="flex flex-wrap items-center justify-end gap-x-4 text-sm">
          {controls}
          <IconButton
            label={isTable ? `Hide the values of ${spec.key}` : `Show the values of ${spec.key} as a table`}
            icon={<Table2 aria-hidden size={14} />}
            isPressed={isTable}
            onClick={() => setTable(!isTable)}
          />
        </span>
      </figcaption>
      {data.outside !== '' && (
        <p className="px-3 text-sm">
          {data.outside}{' '}
          <button
            type="button"
            onClick={(event) => {
              keepFocus(event.currentTarget);
              onShowAll();
            }}
            className="-my-1 min-h-6 rounded px-1 text-accent hover:underline print:hidden"
          >
            Show all values
          </button>
        </p>
      )}
      <CurveArea
        plot={spec.key}
        data={data}
        axis={view.x}
        isLog={view.isLog}
        x={x}
        whole={whole}
        names={names}
        front={front}
        pointer={pointer}
        onZoom={onZoom}
        height={height}
      />
      {data.notes.length > 0 && <p className="px-3 pb-1 text-sm text-soft">{data.notes.join(' ')}</p>}
      {children}
      {isTable && <CurveTable label={spec.key} data={data} x={x} names={names} axis={view.x} />}
    </figure>
  );
}
